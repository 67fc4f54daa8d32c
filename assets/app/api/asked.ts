import { hashKey, type Query, type QueryCache, type QueryClient, type QueryKey } from "@tanstack/react-query";

/** When each query was last fetched, in milliseconds since the page was opened. */
const asked = new WeakMap<object, number>();

/** Records when queries are fetched. */
export function noteAsked(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") asked.set(event.query, performance.now());
  });
}

/**
 * Invalidates the queries under a key that were fetched before `time`, whether they have been answered or not, but not
 * those with the keys `except`.
 */
export function refreshOlder(
  cache: QueryClient,
  queryKey: QueryKey,
  time: number,
  except: readonly QueryKey[] = [],
): Promise<void> {
  const kept = new Set(except.map(hashKey));
  const isOlder = (query: Query) => (asked.get(query) ?? Number.POSITIVE_INFINITY) < time;
  return cache.invalidateQueries({ queryKey, predicate: (query) => isOlder(query) && !kept.has(query.queryHash) });
}
