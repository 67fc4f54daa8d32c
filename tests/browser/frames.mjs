// Run inside of a page: whether it still draws, and answers, while much comes in.

/** Keeps the number of frames in `window.drawn`, the longest time between two, in milliseconds, in `window.longest`. */
export function watchFrames() {
  window.drawn = 0;
  window.longest = 0;
  let last = performance.now();
  const frame = (now) => {
    window.longest = Math.max(window.longest, now - last);
    last = now;
    window.drawn++;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** Milliseconds from a press on a button that opens something until that is drawn. */
export function pressed(name) {
  const button = [...document.querySelectorAll("main button")].find((each) => each.innerText.trim() === name);
  const wanted = button.getAttribute("aria-expanded") === "true" ? "false" : "true";
  const start = performance.now();
  button.click();
  return new Promise((done) => {
    const look = () => (button.getAttribute("aria-expanded") === wanted ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look));
    look();
  });
}
