// Before anything is drawn: the colour scheme that the person chose, or the system's. A file of its
// own, since the content security policy allows no inline script.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem("mayday.color-scheme");
  } catch {
    // Storage is switched off: the system decides.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.dataset.mantineColorScheme = dark ? "dark" : "light";
  root.style.colorScheme = dark ? "dark" : "light";
  root.style.backgroundColor = dark ? "#131417" : "#ffffff";
})();
