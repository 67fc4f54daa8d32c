import { useNavigate } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { useLatest } from "../../hooks/use-latest.ts";
import type { LogSearch } from "./address.ts";

/** Changes the address, and with it what is shown. */
export type Show = (change: Partial<LogSearch>) => void;

/** Parameters whose change leaves the list as it is; any other change leaves a context. */
const beside = new Set<string>(["entry", "context", "fields"]);
const stays = (change: Partial<LogSearch>) => Object.keys(change).every((name) => beside.has(name));

/** The address after a change. */
export const changed = (search: LogSearch, change: Partial<LogSearch>): LogSearch => ({
  ...search,
  ...(stays(change) ? {} : { context: undefined }),
  ...change,
});

export function useShow(project: number, search: LogSearch): Show {
  const navigate = useNavigate();
  const latest = useLatest(search);
  // The scroll position of the results before a context replaced them.
  const results = useRef(0);
  return useCallback(
    (change) => {
      const isSameList = stays(change);
      const search = changed(latest.current, change);
      const [was, is] = [latest.current.context, search.context];
      if (was === undefined && is !== undefined) results.current = window.scrollY;
      const shown = navigate({
        to: "/projects/$projectId/logs",
        params: { projectId: project },
        search,
        resetScroll: !isSameList,
      });
      if (isSameList && was !== undefined && is === undefined) {
        void shown.then(() => requestAnimationFrame(() => window.scrollTo(0, results.current)));
      }
    },
    [latest, navigate, project],
  );
}
