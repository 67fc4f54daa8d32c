import { useRef, useState } from "react";
import { problem } from "./notify.ts";

/**
 * Whether an action is in progress, and a function that starts one: a second start meanwhile does nothing, and a
 * failure is reported with the given words.
 */
export function useBusy(): [boolean, (failed: string, work: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const going = useRef(false);
  const run = async (failed: string, work: () => Promise<unknown>) => {
    if (going.current) return;
    going.current = true;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      problem(failed, error);
    } finally {
      going.current = false;
      setBusy(false);
    }
  };
  return [busy, run];
}
