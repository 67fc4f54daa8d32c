import { el } from "./dom.ts";

/** How long the button says what happened, in milliseconds. */
const feedback = 1600;

/** A block of shell text with a button that copies it. `kind` is a class of its own, if any. */
export function snippet(label: string, text: string, kind = ""): HTMLElement {
  const code = el("code", {}, text);
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy: ${label}` }, "Copy");
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", () => {
    void copy(text, code).then((done) => {
      button.textContent = done ? "Copied" : "Press Ctrl+C";
      clearTimeout(timer);
      timer = setTimeout(() => (button.textContent = "Copy"), feedback);
    });
  });
  const pre = el("pre", { tabindex: 0, role: "group", "aria-label": label }, code);
  return el("div", { class: `snippet ${kind}`.trim() }, pre, button);
}

/**
 * Copies text. Plain http on another host than localhost has no clipboard API; there the text is
 * selected, so that one key press copies it.
 */
async function copy(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shown);
    return false;
  }
}
