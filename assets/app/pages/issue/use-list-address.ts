import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, useState } from "react";
import type { IssueSearch } from "../../issue-search/address.ts";
import { paths } from "../../paths.ts";

export interface ListAddress {
  to: string;
  search: IssueSearch;
}

export interface WayBack {
  address: ListAddress;
  /** Goes back in the history if the list is in it, so that it looks as before. */
  back: () => void;
  /** The same for a link to the address. */
  onClick: (event: MouseEvent) => void;
}

/** The link back to the list as it was, with its query and order, which are also in the issue's address. */
export function useListAddress(project: number, search: IssueSearch): WayBack {
  const router = useRouter();
  const to = paths.issues(project);
  // Until this page has been rendered, the router's last resolved location is the previous page.
  const [from] = useState(() => {
    const { location, resolvedLocation: before } = router.state;
    const isList = before?.pathname === to;
    const at = location.state.__TSR_index;
    const isBefore = location.state.fromList === true || (isList && before.state.__TSR_index === at - 1);
    return { to, at: isBefore ? at - 1 : undefined };
  });
  const address = { to, search };
  const steps = () => (from.to === to ? stepsBack(from.at, router.history.location.state.__TSR_index) : undefined);
  return {
    address,
    back: () => {
      const count = steps();
      if (count === undefined) void router.navigate(address);
      else router.history.go(count);
    },
    onClick: (event) => {
      const count = steps();
      if (count === undefined || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      router.history.go(count);
    },
  };
}

/** Steps through the history to an entry before this one; `undefined` when it is not before. */
export const stepsBack = (wanted: number | undefined, now: number): number | undefined =>
  wanted !== undefined && wanted >= 0 && wanted < now ? wanted - now : undefined;
