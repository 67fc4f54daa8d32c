import {
  hashKey,
  type InvalidateQueryFilters,
  type Query,
  type QueryCache,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";

/** When each query was last fetched, in milliseconds since the page was opened. */
const asked = new WeakMap<object, number>();

/** Records when queries are fetched. */
export function noteAsked(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") asked.set(event.query, performance.now());
  });
}

/** Those that are asked again once their first answer is there. */
const waiting = new WeakSet<Query>();

/**
 * Invalidates queries, those too that wait for their first answer: that one may tell how it was before, and the cache
 * would take it for a new one. They are asked again, once each, when it is there; what failed is not.
 */
export function invalidate(cache: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === "fetching" && state.data === undefined;
  for (const query of cache.getQueryCache().findAll(filters).filter(isFirst)) {
    if (waiting.has(query)) continue;
    waiting.add(query);
    void askAgain(cache, query).finally(() => waiting.delete(query));
  }
  return cache.invalidateQueries(filters);
}

async function askAgain(cache: QueryClient, { promise, queryKey }: Query): Promise<void> {
  const isThere = await promise?.then(
    () => true,
    () => false,
  );
  if (isThere) await cache.invalidateQueries({ queryKey, exact: true });
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
  return invalidate(cache, { queryKey, predicate: (query) => isOlder(query) && !kept.has(query.queryHash) });
}
