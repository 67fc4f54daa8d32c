import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { throttle } from "../../api/throttle.ts";
import { numbersKey, type Place } from "./queries.ts";

/** The minimum interval between refetches of event counts, in milliseconds. */
export const pause = 10_000;

/** Refetches the trend and the tags as events arrive. The caller must key it by issue. */
export function useNumbers(place: Place, count: number): void {
  const cache = useQueryClient();
  const known = useRef(count);
  const stale = useRef<ReturnType<typeof throttle<void>>>(undefined);
  useEffect(() => {
    // A pending answer is new enough.
    stale.current = throttle<void>(pause, () =>
      cache.invalidateQueries({ queryKey: numbersKey(place) }, { cancelRefetch: false }),
    );
    return () => stale.current?.stop();
  }, [cache, place]);
  useEffect(() => {
    if (known.current === count) return;
    known.current = count;
    stale.current?.();
  }, [count]);
}
