// Tooltips of elements on the first page. An element sets its own with `data-tip`, and the side with `data-tip-side`
// (default: top); `Tips.tsx`, whose code is loaded at the first input, shows them.

/** An element whose tooltip is shown without hovering, such as a button that reports what it did. */
let shown: Element | undefined;
const listeners = new Set<() => void>();

/** Shows an element's tooltip until `hide` is called with the same element. */
export function showTip(element: Element): void {
  shown = element;
  for (const listener of listeners) listener();
}

export function hideTip(element: Element): void {
  if (shown !== element) return;
  shown = undefined;
  for (const listener of listeners) listener();
}

export const shownTip = (): Element | undefined => shown;

export function subscribeToTips(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
