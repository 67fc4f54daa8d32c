import { useCallback, useMemo, useState } from "react";
import { serverNow } from "../../api/server-clock.ts";
import type { LogSearch } from "./address.ts";
import { type Bounds, type Filters, boundsOf, filtersOf } from "./range.ts";

export interface Asked {
  bounds: Bounds;
  filters: Filters;
  /** The moment that "now" means until something else is asked. */
  now: number;
  refresh: () => void;
}

/** What is asked of the server: "the last day" ends when it was asked, so that pages fit together. */
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
