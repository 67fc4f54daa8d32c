import { useSyncExternalStore } from "react";

/** Until when the server refuses this person's requests, in milliseconds since the epoch; 0 if it does not. */
let until = 0;
/** How many requests an hour it takes, if it said so. */
let perHour: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** The server asked for a pause, since it takes so many requests an hour. */
export function limited(seconds: number, most?: number): void {
  perHour = most;
  until = Math.max(until, Date.now() + seconds * 1000);
  clearTimeout(timer);
  timer = setTimeout(unlimited, until - Date.now());
  tell();
}

/** The pause is over, or somebody else has signed in. */
export function unlimited(): void {
  clearTimeout(timer);
  if (until === 0) return;
  until = 0;
  tell();
}

/** Milliseconds to wait before sending a request that nobody pressed a button for. */
export const limitedFor = (): number => Math.max(0, until - Date.now());

/** How many requests an hour the server takes; undefined if it did not say. */
export const limitPerHour = (): number | undefined => perHour;

/** The limit in `X-RateLimit-Limit`; undefined if there is none, as from a proxy. */
export const mostOf = (header: string | null): number | undefined =>
  header !== null && /^[1-9]\d*$/.test(header) ? Number(header) : undefined;

/** When requests are accepted again; 0 when they are already. */
export function useLimitedUntil(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => until,
  );
}
