// How many issues of a project are unresolved, which stands beside every page: within the environment and the period that
// are chosen there. The list that most people begin with says it, too: while that is asked for, or holds, nothing else is
// asked.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { freshFor } from "./cache.ts";
import { countIssues, type IssueFilters, issueCountQuery, issueKeys, unresolvedOnly } from "./queries.ts";
import type { Issues } from "./schema.d.ts";

/** What the issues are limited to. */
interface Limits {
  environment?: string | undefined;
  period?: string | undefined;
}

export const unresolvedCountQuery = (project: number, { environment, period }: Limits = {}) => {
  const filters = {
    status: "unresolved",
    ...(environment === undefined ? {} : { environment }),
    ...(period === undefined ? {} : { period }),
  };
  return queryOptions({
    queryKey: issueCountQuery(project, filters).queryKey,
    queryFn: async ({ client, signal }) => {
      // Queries that become stale together are fetched one after the other.
      await Promise.resolve();
      return (await listedTotal(client, project, filters)) ?? countIssues(project, filters, signal);
    },
  });
};

/** The total of a list of all unresolved issues within the limits, if one is on its way or holds. */
async function listedTotal(cache: QueryClient, project: number, within: Limits): Promise<number | undefined> {
  for (const list of cache.getQueryCache().findAll({ queryKey: issueKeys.pages(project) })) {
    const { query, environment, period } = list.queryKey[issueKeys.pages(project).length] as IssueFilters;
    if (query !== unresolvedOnly || environment !== within.environment || period !== within.period) continue;
    const isComing = list.state.fetchStatus === "fetching";
    if (!isComing && list.isStaleByTime(freshFor)) continue;
    // A failed list reports its own error.
    const answer = await Promise.resolve(isComing ? list.promise : list.state.data).catch(() => undefined);
    if (answer) return (answer as Issues).total;
  }
  return undefined;
}
