// Tooltips of what the first page shows. An element names its own by `data-tip`, on the side `data-tip-side` (top unless
// said); `Tips.tsx`, whose code comes with the first input, shows them.

/** An element that shows its tooltip without being pointed at, as a button that says what it did. */
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
