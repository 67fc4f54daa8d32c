import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { throttle } from "../../api/throttle.ts";
import { numbersKey, type Place } from "./queries.ts";

/** Answers that count the events are asked again at most this often, in milliseconds. */
export const pause = 10_000;

/** Asks for the trend and the tags again as events come. Keyed by the issue at its caller. */
export function useNumbers(place: Place, count: number): void {
  const cache = useQueryClient();
  const known = useRef(count);
  const stale = useRef<ReturnType<typeof throttle<void>>>(undefined);
  useEffect(() => {
    // An answer that is on its way is new enough.
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
