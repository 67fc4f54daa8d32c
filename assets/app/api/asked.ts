import type { Query, QueryCache, QueryClient, QueryKey } from "@tanstack/react-query";

/** When each query was last fetched, in milliseconds since the page was opened. */
const asked = new WeakMap<object, number>();

/** Records when queries are fetched. */
export function noteAsked(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") asked.set(event.query, performance.now());
  });
}

/** Invalidates the queries under a key that were fetched before `time`, whether they have been answered or not. */
export const refreshOlder = (cache: QueryClient, queryKey: QueryKey, time: number): Promise<void> =>
  cache.invalidateQueries({
    queryKey,
    predicate: (query: Query) => (asked.get(query) ?? Number.POSITIVE_INFINITY) < time,
  });
