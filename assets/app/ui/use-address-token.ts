import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { keep, kept } from "./kept.ts";

/**
 * The token of the link that was opened, which is taken out of the address at once: no history and no
 * picture of the screen keeps it. A reload finds it again until `forget`.
 */
export function useAddressToken(path: string, name: string): [token: string | undefined, forget: () => void] {
  const given = useLocation({ select: ({ hash, searchStr }) => tokenIn(hash) ?? tokenIn(searchStr) });
  const [token, setToken] = useState(() => given ?? kept(name));
  const navigate = useNavigate();
  useEffect(() => {
    if (given === undefined) return;
    setToken(given);
    keep(name, given);
    void navigate({ href: path, replace: true });
  }, [given, navigate, path, name]);
  const forget = useCallback(() => keep(name, undefined), [name]);
  return [token, forget];
}

/** The `token` of a query or a fragment. */
export function tokenIn(part: string): string | undefined {
  const token = new URLSearchParams(part.replace(/^[#?]/, "")).get("token")?.trim();
  return token === "" ? undefined : (token ?? undefined);
}
