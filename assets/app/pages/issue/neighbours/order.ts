// The order of the issues in a list when one of them was opened. It does not follow the list: an issue that is
// resolved on its page may leave the list, but the next one should still be the one below it.

import { type QueryClient, infiniteQueryOptions } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import { type IssueFilters, issuesPage, issuesQuery } from "../../../api/queries.ts";

/** A stretch of the list. */
export interface Stretch {
  ids: number[];
  total: number;
}

/** `visit` identifies a visit of a list. What the list itself has loaded is not requested again. */
export const orderQuery = (cache: QueryClient, project: number, filters: IssueFilters, visit: string) =>
  infiniteQueryOptions({
    queryKey: ["project", project, "apart", "order", visit, filters],
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => {
      const loaded = loadedOf(cache, project, filters);
      return loaded && { pages: [loaded], pageParams: [0] };
    },
    queryFn: async ({ signal, pageParam }): Promise<Stretch> => {
      const params = { path: { project_id: project }, query: { ...filters, limit: issuesPage, offset: pageParam } };
      const { issues, total } = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
      return { ids: issues.map(({ id }) => id), total };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { ids }) => sum + ids.length, 0);
      return last.ids.length > 0 && count < last.total ? count : undefined;
    },
  });

/** The pages that the list has loaded, from its beginning on. */
function loadedOf(cache: QueryClient, project: number, filters: IssueFilters): Stretch | undefined {
  const ids: number[] = [];
  for (let page = 0; ; page += 1) {
    const answer = cache.getQueryData(issuesQuery(project, filters, page).queryKey);
    ids.push(...(answer?.issues ?? []).map(({ id }) => id));
    if (answer === undefined || answer.issues.length < issuesPage)
      return ids.length === 0 ? undefined : { ids, total: totalOf(cache, project, filters) };
  }
}

const totalOf = (cache: QueryClient, project: number, filters: IssueFilters): number =>
  cache.getQueryData(issuesQuery(project, filters, 0).queryKey)?.total ?? 0;

export interface Around {
  /** The issue's position in the list; -1 if it is not there. */
  place: number;
  previous: number | undefined;
  next: number | undefined;
}

/** The issues before and after one. Of one that is not in the list, the next is the list's first. */
export function around(ids: readonly number[], issue: number): Around {
  const place = ids.indexOf(issue);
  return { place, previous: place > 0 ? ids[place - 1] : undefined, next: ids[place + 1] };
}
