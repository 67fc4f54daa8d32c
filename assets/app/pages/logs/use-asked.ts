import { useCallback, useMemo, useState } from "react";
import { serverNow } from "../../api/server-clock.ts";
import type { LogSearch } from "./address.ts";
import { type Bounds, type Filters, boundsOf, filtersOf } from "./range.ts";

export interface Asked {
  bounds: Bounds;
  filters: Filters;
  /** The time that "now" stands for until the search changes. */
  now: number;
  refresh: () => void;
}

/**
 * The filters for the server. "The last day" ends when it was first requested, so that pages fit together; who leaves
 * the tail finds what they saw come there.
 */
export function useAsked({ query, levels, environment, range, from, to, view }: LogSearch): Asked {
  const key = JSON.stringify([query, levels, environment, range, from, to]);
  const isTail = view === "tail";
  const [asked, setAsked] = useState(() => ({ key, isTail, now: serverNow() }));
  if (asked.key !== key || (asked.isTail && !isTail)) setAsked({ key, isTail, now: serverNow() });
  else if (asked.isTail !== isTail) setAsked({ ...asked, isTail });
  const { now } = asked;
  const bounds = useMemo(() => boundsOf({ range, from, to }, now), [range, from, to, now]);
  const filters = useMemo(
    () => filtersOf({ query, levels, environment }, bounds),
    [query, levels, environment, bounds],
  );
  const refresh = useCallback(() => setAsked({ key, isTail, now: serverNow() }), [key, isTail]);
  return { bounds, filters, now, refresh };
}
