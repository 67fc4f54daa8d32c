// Code that is not needed at first is loaded at the person's first input: early enough to be there when it is needed,
// but not part of the first load.

import { useEffect, useSyncExternalStore } from "react";
import { useIdle } from "../hooks/use-idle.ts";

// Assistive technology may send a click without any of the others.
const events = ["pointermove", "pointerdown", "keydown", "click"] as const;
let hasInput = false;
const listeners = new Set<() => void>();

function note(): void {
  hasInput = true;
  for (const event of events) document.removeEventListener(event, note, { capture: true });
  for (const listener of listeners) listener();
}

/** Treats input as given: what waits for it is needed now. */
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

/**
 * The same for what a list offers. The first touch may be the tap that opens it, and then it is too late: for fingers
 * it is loaded once the browser is idle.
 */
export function useChoicesWanted(): boolean {
  const isIdle = useIdle();
  return useFirstInput() || (isIdle && matchMedia("(pointer: coarse)").matches);
}
