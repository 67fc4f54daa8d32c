import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { storedInTab, storeInTab } from "./tab-storage.ts";

/**
 * The token in the address of the opened link. It is removed from the address at once, so that neither the history
 * nor a screenshot shows it; a reload restores it until `forget` is called.
 */
export function useAddressToken(path: string, name: string): [token: string | undefined, forget: () => void] {
  const given = useLocation({ select: ({ hash, searchStr }) => tokenIn(hash) ?? tokenIn(searchStr) });
  const [token, setToken] = useState(() => given ?? storedInTab(name));
  const navigate = useNavigate();
  useEffect(() => {
    if (given === undefined) return;
    setToken(given);
    storeInTab(name, given);
    void navigate({ href: path, replace: true });
  }, [given, navigate, path, name]);
  const forget = useCallback(() => storeInTab(name, undefined), [name]);
  return [token, forget];
}

/** The `token` of a query or a fragment. */
export function tokenIn(part: string): string | undefined {
  const token = new URLSearchParams(part.replace(/^[#?]/, "")).get("token")?.trim();
  return token === "" ? undefined : (token ?? undefined);
}
