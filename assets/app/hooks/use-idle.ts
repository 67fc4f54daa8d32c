import { useEffect, useState } from "react";

/** How long something may be put off, in milliseconds. */
const most = 1_500;

/** Runs something once the browser has nothing better to do; the answer calls it off. */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(run, most / 5);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: most });
  return () => cancelIdleCallback(handle);
}

/** Whether the page has had time for what nobody waits for. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
