import { useEffect, useState } from "react";

/** The longest delay, in milliseconds. */
const most = 1_500;

/** Runs something when the browser is idle; the returned function cancels it. */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(run, most / 5);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: most });
  return () => cancelIdleCallback(handle);
}

/** Whether the browser has been idle since the first rendering. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
