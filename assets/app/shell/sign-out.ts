import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, ok } from "../api/client.ts";
import { isStatus } from "../api/error.ts";
import { unlimited } from "../api/limited.ts";
import { meQuery } from "../api/queries.ts";
import { sessionForgotten } from "../api/session.ts";
import { paths } from "../paths.ts";
import { clearMessages, problem } from "../ui/notify.ts";

/** Ends the session on the server and clears the cache; then opens the sign-in page, or stays. */
export function useSignOut({ stay = false } = {}): () => Promise<void> {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await ok(api.POST("/auth/logout"));
    } catch (error) {
      // A session that has ended already is fine; any other failure leaves the person signed in.
      if (!isStatus(error, 401)) {
        problem("You are still signed in", error);
        return;
      }
    }
    sessionForgotten();
    unlimited();
    if (stay) forgetAnswers(cache);
    else cache.clear();
    clearMessages();
    forgetPerson();
    if (stay) return;
    // Otherwise a provider would sign the person in again at once.
    await navigate({ to: paths.login, state: { signedOut: true } });
  };
}

/** Clears everything except public data; the open page learns that nobody is signed in. */
function forgetAnswers(cache: QueryClient): void {
  const open = new Set(["meta", "methods", "setup", "invitation", "me"]);
  cache.removeQueries({ predicate: ({ queryKey }) => !open.has(String(queryKey[0])) });
  cache.setQueryData(meQuery.queryKey, null);
}

/** Deletes what this browser stores about a person, except for the appearance. */
function forgetPerson(): void {
  try {
    const kept = Object.keys(localStorage).filter((key) => /^mayday\.(?:views\.|project$)/.test(key));
    for (const key of kept) localStorage.removeItem(key);
  } catch {
    // Storage is disabled, so nothing is stored.
  }
}
