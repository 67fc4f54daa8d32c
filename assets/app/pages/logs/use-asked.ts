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

/** The filters for the server. "The last day" ends when it was first requested, so that pages fit together. */
export function useAsked({ query, levels, environment, range, from, to }: LogSearch): Asked {
  const key = JSON.stringify([query, levels, environment, range, from, to]);
  const [asked, setAsked] = useState(() => ({ key, now: serverNow() }));
  if (asked.key !== key) setAsked({ key, now: serverNow() });
  const { now } = asked;
  const bounds = useMemo(() => boundsOf({ range, from, to }, now), [range, from, to, now]);
  const filters = useMemo(
    () => filtersOf({ query, levels, environment }, bounds),
    [query, levels, environment, bounds],
  );
  const refresh = useCallback(() => setAsked({ key, now: serverNow() }), [key]);
  return { bounds, filters, now, refresh };
}
