import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
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
  return cache;
}
