// Code that no page needs at first is fetched once the person does something: then it is there before they want it,
// and it is no part of the first load.

import { useEffect, useSyncExternalStore } from "react";

// Assistive technology may click without any of the others.
const events = ["pointermove", "pointerdown", "keydown", "click"] as const;
let hasInput = false;
const listeners = new Set<() => void>();

function note(): void {
  hasInput = true;
  for (const event of events) document.removeEventListener(event, note, { capture: true });
  for (const listener of listeners) listener();
}

/** As if there had been input: what waits for it is needed now. */
export const skipWaiting = note;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the person has moved the pointer, touched the page or pressed a key since it was loaded. */
export function useFirstInput(): boolean {
  useEffect(() => {
    if (!hasInput) for (const event of events) document.addEventListener(event, note, { capture: true, passive: true });
  }, []);
  return useSyncExternalStore(subscribe, () => hasInput);
}
