import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, ok } from "../api/client.ts";
import { isStatus } from "../api/error.ts";
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
    cache.clear();
    await navigate({ to: paths.login });
  };
}
