import { useQuery } from "@tanstack/react-query";
import { metaQuery } from "../api/queries.ts";
import { originOf } from "./origin.ts";

/** The server's address for what is pasted elsewhere. */
export function useOrigin(): string {
  const meta = useQuery(metaQuery);
  return originOf(meta.data?.capabilities.webApp.baseUrl, location.origin);
}
