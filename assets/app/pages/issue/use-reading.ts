// Selects the event to show. A new event never replaces it automatically: without one in the address, the newest at
// that moment is kept, and links offer newer ones.

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type Place, eventQuery, newestQuery } from "./queries.ts";
import { isEndOpen, walkNow } from "./walk.ts";

/** Keyed by the issue at its caller. `wanted` is the address's event. */
export function useReading(place: Place, wanted: string | undefined) {
  const cache = useQueryClient();
  const [held, setHeld] = useState<string>();
  const shown = wanted ?? held;
  const query = useQuery({ ...eventQuery(place, shown), placeholderData: keepPreviousData });
  const { data: answer, isPlaceholderData, isFetching, refetch } = query;
  const newest = useQuery(newestQuery(place)).data?.event;
  const data = useMemo(() => answer && { event: answer.event, walk: walkNow(answer, newest) }, [answer, newest]);
  const id = data?.event.event_id;
  const { older, newer } = data?.walk ?? {};
  useEffect(() => {
    // A cached answer of an earlier visit is no longer the newest.
    if (shown !== undefined || isFetching || answer === undefined || id === undefined) return;
    cache.setQueryData(eventQuery(place, id).queryKey, answer);
    setHeld(id);
  }, [shown, answer, isFetching, id, cache, place]);
  // The event itself does not change under live traffic; what follows the last one is fetched once. Not before the
  // event is known: without its id, the answer could be another event.
  const isOpen = shown !== undefined && !isPlaceholderData && answer !== undefined && isEndOpen(answer, newest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each event that is opened
  useEffect(() => {
    if (isOpen) void refetch();
  }, [isOpen, id, refetch]);
  // The neighbours are prefetched, but the event itself comes first.
  useEffect(
    () =>
      afterPaint(() => {
        for (const each of [newer, older]) if (each) void cache.prefetchQuery(eventQuery(place, each));
      }),
    [newer, older, cache, place],
  );
  return { query, data, isNewest: shown === undefined, isWalking: isPlaceholderData, hold: setHeld };
}

/** The number of events since this one was opened; counts from zero for each event. */
export function useArrived(event: string | undefined, count: number): number {
  const [since, setSince] = useState({ event, count });
  if (since.event !== event) setSince({ event, count });
  return since.event === event ? Math.max(0, count - since.count) : 0;
}

/** Runs something once what has just been drawn is on the screen; the answer calls it off. */
function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
