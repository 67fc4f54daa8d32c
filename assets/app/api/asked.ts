import type { Query, QueryCache, QueryClient, QueryKey } from "@tanstack/react-query";

/** When each answer was asked for last, in milliseconds since the page was opened. */
const asked = new WeakMap<object, number>();

/** Notes when questions leave. */
export function noteAsked(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") asked.set(event.query, performance.now());
  });
}

/** Makes those answers under the key stale that were asked for before `time`, whether they came or not. */
export const refreshOlder = (cache: QueryClient, queryKey: QueryKey, time: number): Promise<void> =>
  cache.invalidateQueries({
    queryKey,
    predicate: (query: Query) => (asked.get(query) ?? Number.POSITIVE_INFINITY) < time,
  });
