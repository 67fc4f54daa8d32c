// The number of unresolved issues of a project, shown beside every page. The default list of issues includes it:
// while that list is pending or fresh, no other request is sent.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { freshFor } from "./cache.ts";
import { countIssues, type IssueFilters, issueCountQuery, issueKeys, unresolvedOnly } from "./queries.ts";
import type { Issues } from "./schema.d.ts";

const filters = { status: "unresolved" };

export const unresolvedCountQuery = (project: number) =>
  queryOptions({
    queryKey: issueCountQuery(project, filters).queryKey,
    queryFn: async ({ client, signal }) => {
      // Queries that become stale together are fetched one after the other.
      await Promise.resolve();
      return (await listedTotal(client, project)) ?? countIssues(project, filters, signal);
    },
  });

/** The total of a list of all unresolved issues, if one is pending or fresh. */
async function listedTotal(cache: QueryClient, project: number): Promise<number | undefined> {
  for (const list of cache.getQueryCache().findAll({ queryKey: issueKeys.pages(project) })) {
    const { query, environment, period } = list.queryKey[issueKeys.pages(project).length] as IssueFilters;
    if (query !== unresolvedOnly || environment !== undefined || period !== undefined) continue;
    const isComing = list.state.fetchStatus === "fetching";
    if (!isComing && list.isStaleByTime(freshFor)) continue;
    // A failed list reports its own error.
    const answer = await Promise.resolve(isComing ? list.promise : list.state.data).catch(() => undefined);
    if (answer) return (answer as Issues).total;
  }
  return undefined;
}
