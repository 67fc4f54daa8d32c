import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { filtersOf, type IssueSearch } from "../../../issue-search/address.ts";
import { paths } from "../../../paths.ts";
import { noteOpened } from "../../issues/opened.ts";
import type { Place } from "../queries.ts";
import { around, orderQuery } from "./order.ts";

/** More issues are loaded when this few are left. */
const ahead = 5;

export interface Neighbours {
  previous: number | undefined;
  next: number | undefined;
  /** Notes the issue to which the list returns. */
  note: (issue: number) => void;
  /** Opens one of the two; does nothing at the ends. */
  open: (issue: number | undefined) => void;
}

/**
 * The previous and next issues in the list from which this one was opened (`search`), or in the project's default
 * list. Requested when the page is `ready`, if the list was not loaded.
 */
export function useNeighbours(
  { project, issue }: Place,
  search: IssueSearch,
  visit: string,
  ready: boolean,
): Neighbours {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const order = useInfiniteQuery({ ...orderQuery(cache, project, filters, visit), enabled: ready });
  const ids = useMemo(() => [...new Set(order.data?.pages.flatMap((page) => page.ids))], [order.data]);
  const { place, previous, next } = around(ids, issue);
  const { hasNextPage, isFetching, isError, fetchNextPage } = order;
  const isNearEnd = ready && place >= 0 && place + ahead >= ids.length;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetching, isError, fetchNextPage]);
  const note = (id: number) => noteOpened(project, { id, place: Math.max(0, ids.indexOf(id)) });
  const open = (id: number | undefined) => {
    if (id === undefined) return;
    note(id);
    void navigate({ to: paths.issue(project, id), search, state: true, replace: true });
  };
  return { previous, next, note, open };
}
