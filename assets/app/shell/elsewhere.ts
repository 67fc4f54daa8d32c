import { useEffect, useEffectEvent } from "react";
import { api, ok } from "../api/client.ts";

/** Calls `hear` with the person's id when somebody signs in in another tab. */
export function useSignedInElsewhere(hear: (person: number) => void): void {
  const onSignedIn = useEffectEvent(hear);
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const me = await ok(api.GET("/api/v1/me"));
        if (me.kind === "user") onSignedIn(me.id);
      } catch {
        // Still nobody is signed in.
      }
    };
    const ask = () => void look();
    window.addEventListener("focus", ask);
    document.addEventListener("visibilitychange", ask);
    return () => {
      window.removeEventListener("focus", ask);
      document.removeEventListener("visibilitychange", ask);
    };
  }, []);
}
