import {
  hashKey,
  type InvalidateQueryFilters,
  type Query,
  type QueryCache,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";

/** When each query was last fetched, in milliseconds since the page was loaded. */
const asked = new WeakMap<object, number>();

/** Records when queries are fetched. */
export function noteAsked(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") asked.set(event.query, performance.now());
  });
}

/** Queries to refetch when their first answer has arrived. */
const waiting = new WeakSet<Query>();

/**
 * Invalidates queries, including those that wait for their first answer: it may be outdated, and the cache would take
 * it for fresh. These are refetched once when it has arrived, unless it failed.
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
 * Invalidates the queries under a key that were fetched before `time`, whether answered or not, except those with the
 * keys `except`.
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
