// Values of facets to suggest. The server lists them by issue only, so they are those of a few.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { isStatus } from "../../api/error.ts";
import type { Tag, Tags } from "../../api/schema.d.ts";

/** The most frequent values first, by the name of the facet; `about` is the name that people know a value by. */
export type FacetValues = Record<string, { value: string; about: string }[]>;

/** Issues whose values are suggested: those with the most events. */
const issuesMost = 5;

/** Whether a term that is being typed is suggested values, or names, of facets. */
export const needsFacets = (term: string): boolean => /^-?(?:tag\.|contexts\.|user:|account:|has:)/i.test(term);

/** An issue that has just been deleted has no values. */
function whenGone(error: unknown): Pick<Tags, "tags"> {
  if (isStatus(error, 404)) return { tags: [] };
  throw error;
}

export const facetValuesQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "facet values"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { sort: "events" as const, limit: issuesMost } };
      const { issues } = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
      const lists = issues.map(async ({ id }) => {
        const path = { project_id, issue_id: id };
        const answer = api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/tags", { params: { path }, signal });
        return (await ok(answer).catch(whenGone)).tags;
      });
      return mergedValues((await Promise.all(lists)).flat());
    },
    staleTime: 5 * 60_000,
  });

/** The values of several issues, with their counts added up. */
export function mergedValues(tags: readonly Pick<Tag, "facet" | "values">[]): FacetValues {
  const facets = new Map<string, Map<string, { about: string; count: number }>>();
  for (const { facet, values } of tags) {
    const known = facets.get(facet) ?? new Map<string, { about: string; count: number }>();
    facets.set(facet, known);
    for (const { value, alias, count } of values) {
      const before = known.get(value);
      known.set(value, { about: before?.about || (alias ?? ""), count: count + (before?.count ?? 0) });
    }
  }
  const sorted = (known: Map<string, { about: string; count: number }>) =>
    [...known].sort(([, a], [, b]) => b.count - a.count).map(([value, { about }]) => ({ value, about }));
  return Object.fromEntries([...facets].map(([facet, known]) => [facet, sorted(known)]));
}
