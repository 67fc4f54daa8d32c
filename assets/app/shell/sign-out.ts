import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, ok } from "../api/client.ts";
import { isStatus } from "../api/error.ts";
import { unlimited } from "../api/limited.ts";
import { sessionForgotten } from "../api/session.ts";
import { paths } from "../paths.ts";
import { problem } from "../ui/notify.tsx";

/** Ends the session at the server and forgets what was read with it. */
export function useSignOut(): () => Promise<void> {
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
    cache.clear();
    notifications.clean();
    notifications.cleanQueue();
    forgetPerson();
    // No provider is asked to sign the person in again at once.
    await navigate({ to: paths.login, state: { signedOut: true } });
  };
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
