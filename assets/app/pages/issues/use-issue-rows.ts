import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { keptWithin } from "../../api/placeholder.ts";
import { type IssueFilters, issueKeys, issuesPage, issuesQuery } from "../../api/queries.ts";
import type { Issue } from "../../api/schema.d.ts";

/** Rows of the list that are in sight. */
export interface Range {
  first: number;
  last: number;
}

export interface Rows {
  /** The server's order; `undefined` where it is not loaded yet. */
  order: (number | undefined)[];
  byId: Map<number, Issue>;
  /** `undefined` until the first answer. */
  total: number | undefined;
  error: unknown;
  /** Shows the answer to the question before. */
  old: boolean;
  retry: () => void;
  /** Whether pages that failed are asked for again. */
  retrying: boolean;
}

/** The list's rows, loaded page by page as they scroll into sight. */
export function useIssueRows(project: number, filters: IssueFilters, range: Range): Rows {
  const { first: firstRow, last: lastRow } = range;
  const pages = useMemo(() => pagesOf({ first: firstRow, last: lastRow }), [firstRow, lastRow]);
  const first = useQuery({
    ...issuesQuery(project, filters, 0),
    placeholderData: keptWithin(issueKeys.pages(project)),
  });
  const old = first.isPlaceholderData;
  // Pages of two answers do not go together.
  const rest = old ? [] : pages.slice(1);
  const later = useQueries({ queries: rest.map((page) => issuesQuery(project, filters, page)) });
  const key = JSON.stringify([project, filters, old]);
  const [seen, setSeen] = useState(() => ({ key, byId: new Map<number, Issue>() }));
  if (seen.key !== key) setSeen({ key, byId: new Map() });
  const answers = [first, ...later];

  const { byId } = seen;
  const total = first.data?.total;
  const order: (number | undefined)[] = Array.from({ length: Math.min(total ?? 0, 1_000_000) });
  answers.forEach((answer, at) => {
    answer.data?.issues.forEach((issue, place) => {
      byId.set(issue.id, issue);
      const row = (pages[at] ?? 0) * issuesPage + place;
      if (row < order.length) order[row] = issue.id;
    });
  });
  const failed = answers.find((answer) => answer.error);
  return {
    order,
    byId,
    total,
    error: failed?.error,
    old,
    retry: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
    retrying: answers.some(({ isError, isFetching }) => isError && isFetching),
  };
}

/** The first page, for its total, and those in sight. */
function pagesOf({ first, last }: Range): number[] {
  const from = Math.floor(first / issuesPage);
  const to = Math.floor(last / issuesPage);
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return from === 0 ? pages : [0, ...pages];
}
