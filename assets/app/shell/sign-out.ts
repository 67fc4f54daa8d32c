import { notifications } from "@mantine/notifications";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, ok } from "../api/client.ts";
import { isStatus } from "../api/error.ts";
import { unlimited } from "../api/limited.ts";
import { meQuery } from "../api/queries.ts";
import { sessionForgotten } from "../api/session.ts";
import { paths } from "../paths.ts";
import { problem } from "../ui/notify.tsx";

/** Ends the session at the server and forgets what was read with it; then to the sign-in, or stays. */
export function useSignOut({ stay = false } = {}): () => Promise<void> {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await ok(api.POST("/auth/logout"));
    } catch (error) {
      // An ended session is what was wanted; anything else leaves the person signed in.
      if (!isStatus(error, 401)) {
        problem("You are still signed in", error);
        return;
      }
    }
    sessionForgotten();
    unlimited();
    if (stay) forgetAnswers(cache);
    else cache.clear();
    notifications.clean();
    notifications.cleanQueue();
    forgetPerson();
    if (stay) return;
    // No provider is asked to sign the person in again at once.
    await navigate({ to: paths.login, state: { signedOut: true } });
  };
}

/** All but what anybody may read; the page that is shown hears that nobody is signed in. */
function forgetAnswers(cache: QueryClient): void {
  const open = new Set(["meta", "methods", "setup", "invitation", "me"]);
  cache.removeQueries({ predicate: ({ queryKey }) => !open.has(String(queryKey[0])) });
  cache.setQueryData(meQuery.queryKey, null);
}

/** What this browser keeps of a person; how it looks stays. */
function forgetPerson(): void {
  try {
    const kept = Object.keys(localStorage).filter((key) => /^mayday\.(?:views\.|project$)/.test(key));
    for (const key of kept) localStorage.removeItem(key);
  } catch {
    // Storage is switched off: nothing is kept.
  }
}
