import { useEffect, useState, useSyncExternalStore } from "react";

/** How often relative times are updated, in milliseconds: one timer for the whole page. */
const tick = 10_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tick);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, accurate to ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** The time, accurate to a second, for countdowns. */
export function useSeconds(): number {
  const [time, setTime] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return time;
}
