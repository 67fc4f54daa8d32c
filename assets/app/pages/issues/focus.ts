/** Gives the focus to the list: the issue at the keyboard's cursor, or the first in sight. */
export function focusList(): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-issue]")];
  const row =
    rows.find((each) => each.dataset.cursor !== undefined) ??
    rows.find((each) => each.getBoundingClientRect().top >= 0);
  row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
}

/** The focused element may be gone after a change; the focus should not return to the top of the page. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusList();
}
