import { useRef, useState } from "react";
import { problem } from "./notify.ts";

/**
 * Whether something is under way, and what starts it: a second start meanwhile does nothing, and a failure is told
 * with the words given.
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
