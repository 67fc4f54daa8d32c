import { coveredTop } from "../../ui/use-window-rows.ts";

/** Gives the focus to the list: the issue at the keyboard's cursor if it is in sight, or else the first that is. */
export function focusList(): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-issue]")];
  // A pixel less, because rows may stand between two.
  const top = coveredTop() - 1;
  const inSight = rows.filter((each) => {
    const box = each.getBoundingClientRect();
    return box.top >= top && box.bottom <= innerHeight;
  });
  const row = inSight.find((each) => each.dataset.cursor !== undefined) ?? inSight[0] ?? rows[0];
  row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
}

/** The focused element may be gone after a change; the focus should not return to the top of the page. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusList();
}
