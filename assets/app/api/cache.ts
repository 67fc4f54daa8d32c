import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { noteAsked } from "./invalidation.ts";
import { isPassing, isStatus } from "./error.ts";
import { limitedFor } from "./limited.ts";
import { sessionEnded } from "./session.ts";

/** How long answers stay fresh unless a live message arrives, in milliseconds. */
export const freshFor = 30_000;
/** Retries of transient errors. */
const retries = 2;

const watch = (error: unknown) => {
  if (isStatus(error, 401)) sessionEnded();
};

/** Why queries failed last. */
const failures = new WeakMap<Query, Error>();

/**
 * Keeps queries that failed as they are while they are fetched again: without data they would count as pending, and a
 * page would lose its error to a placeholder and get it back.
 */
function keepFailures(queries: QueryCache): void {
  queries.subscribe((event) => {
    // Nobody sees it any more; a page that is opened later begins anew.
    if (event.type === "observerRemoved" && event.query.getObserversCount() === 0) failures.delete(event.query);
    if (event.type !== "updated") return;
    const { query, action } = event;
    if (action.type === "error") failures.set(query, action.error);
    const { status, errorUpdateCount } = query.state;
    const error = failures.get(query);
    if (action.type !== "fetch" || status !== "pending" || errorUpdateCount === 0 || !error) return;
    query.setState({ status: "error", error });
  });
}

/** Responses of the server, shared by all pages. Live messages invalidate them; nothing polls. */
export function makeCache(): QueryClient {
  const cache = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: freshFor,
        retry: (failures, error) => isPassing(error) && failures < retries && limitedFor() === 0,
        // Only a request shows whether the server can be reached; the browser guesses.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  noteAsked(cache.getQueryCache());
  keepFailures(cache.getQueryCache());
  return cache;
}
