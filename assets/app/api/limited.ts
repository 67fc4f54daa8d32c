import { useSyncExternalStore } from "react";

/** Until when the server refuses this person's requests, in milliseconds of the clock; 0 when it does not. */
let until = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** The server asked to wait. */
export function limited(seconds: number): void {
  until = Math.max(until, Date.now() + seconds * 1000);
  clearTimeout(timer);
  timer = setTimeout(unlimited, until - Date.now());
  tell();
}

/** The wait is over, or somebody else signs in. */
export function unlimited(): void {
  clearTimeout(timer);
  if (until === 0) return;
  until = 0;
  tell();
}

/** Milliseconds to wait before the server is asked for something that nobody pressed a button for. */
export const limitedFor = (): number => Math.max(0, until - Date.now());

/** When requests are taken again; 0 when they are. */
export function useLimitedUntil(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => until,
  );
}
