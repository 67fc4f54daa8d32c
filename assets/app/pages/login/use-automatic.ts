import { useEffect, useRef, useState } from "react";
import type { Methods } from "../../api/schema.d.ts";
import { type Arrival, goesByItself, leaveFor } from "../../sign-in/providers.ts";
import { storedInTab, storeInTab } from "../../ui/tab-storage.ts";

const key = "went-to-sso";

/** Redirects to single sign-on if that is the only method. `methods` is passed when everything else is known. */
export function useAutomatic(methods: Methods | undefined, came: Omit<Arrival, "wentAt">, wanted: string) {
  const [error, setError] = useState<unknown>();
  const [decided, decide] = useState<boolean>();
  if (methods && decided === undefined) {
    const wentAt = Number(storedInTab(key)) || undefined;
    decide(goesByItself(methods, { ...came, wentAt }, Date.now()));
  }
  const going = decided === true && error === undefined;
  const left = useRef(false);
  useEffect(() => {
    if (!going || left.current) return;
    left.current = true;
    storeInTab(key, String(Date.now()));
    leaveFor("sso", { redirect_to: wanted, purpose: "sign_in" }).catch(setError);
  }, [going, wanted]);
  return { going, error };
}
