import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../../paths.ts";

export interface ListAddress {
  to: string;
  search: object;
}

/** The way back: the list as it was left, with its query and order; else the plain one. */
export function useListAddress(project: number): ListAddress {
  const router = useRouter();
  // Until this page has been drawn once, the router's last resolved location is where one came from.
  const [from] = useState(() => router.state.resolvedLocation);
  const to = paths.issues(project);
  return { to, search: from?.pathname === to ? from.search : {} };
}
