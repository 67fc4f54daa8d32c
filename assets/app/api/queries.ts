// The queries of the pages. Keys start with the project, so that a live message can invalidate a part of them.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { operations } from "./schema.d.ts";
import { sessionKnown } from "./session.ts";
import { forgetEarly } from "./early.ts";
import { isStatus } from "./error.ts";

export const metaQuery = queryOptions({
  queryKey: ["meta"],
  queryFn: ({ signal }) => ok(api.GET("/meta", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The person who is signed in; `null` if nobody is. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => {
    try {
      const me = await ok(api.GET("/api/v1/me", { signal }));
      if (me.kind !== "user") return null;
      sessionKnown();
      return me;
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      // What else was asked for early was refused as well, and must not answer whoever signs in now.
      forgetEarly();
      return null;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/organizations", { signal })),
});

export const organizationQuery = (organization_id: number) =>
  queryOptions({
    queryKey: ["organizations", organization_id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/organizations/{organization_id}", { params: { path: { organization_id } }, signal })),
  });

/** Every project of every organization of the person, with the person's role. */
export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async ({ signal, client }) => {
    const organizations = await ok(api.GET("/api/v1/organizations", { signal }));
    client.setQueryData(organizationsQuery.queryKey, organizations);
    const lists = organizations.map(async (organization) => {
      const path = { organization_id: organization.id };
      const { projects } = await ok(
        api.GET("/api/v1/organizations/{organization_id}/projects", { params: { path }, signal }),
      );
      return projects.map((project) => ({ ...project, organization }));
    });
    return (await Promise.all(lists)).flat();
  },
});

export const projectQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "record"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/projects/{project_id}", { params: { path: { project_id } }, signal })),
  });

export type IssueFilters = NonNullable<operations["list_issues"]["parameters"]["query"]>;

/** Keys of everything that a change to an issue, or a new event, may invalidate. */
export const issueKeys = {
  lists: (project: number) => ["project", project, "issues"] as const,
  pages: (project: number) => [...issueKeys.lists(project), "page"] as const,
  one: (project: number, issue: number) => ["project", project, "issue", issue] as const,
};

/** What the list shows before anybody asks for something else. */
export const unresolvedOnly = "is:unresolved";

/** Issues that are asked for at once. */
export const issuesPage = 50;

/** A page of the list of issues, from 0. A search that the server refused is not sent again: it stays wrong. */
export const issuesQuery = (project_id: number, filters: IssueFilters, page: number) =>
  queryOptions({
    queryKey: [...issueKeys.pages(project_id), filters, page] as const,
    queryFn: ({ signal }) => {
      const query = { ...filters, limit: issuesPage, offset: page * issuesPage };
      const params = { path: { project_id }, query };
      return ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
    },
    enabled: ({ state }) => !isStatus(state.error, 422),
  });

/** The issue of a project with a short id, if there is one. */
export const namedIssueQuery = (project_id: number, shortId: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(project_id), "named", shortId.toUpperCase()],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { query: shortId, limit: 5 } };
      const { issues } = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
      return issues.filter(({ short_id }) => short_id.toUpperCase() === shortId.toUpperCase());
    },
  });

/** The first issues of a project that some words find, whatever their status. */
export const foundIssuesQuery = (project_id: number, query: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(project_id), "found", query],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { query, limit: 6 } };
      return (await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }))).issues;
    },
  });

/** How many issues of a project there are under a filter. */
export async function countIssues(project_id: number, filters: IssueFilters, signal: AbortSignal): Promise<number> {
  const params = { path: { project_id }, query: { ...filters, limit: 1 } };
  return (await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }))).total;
}

export const issueCountQuery = (project: number, filters: IssueFilters = {}) =>
  queryOptions({
    queryKey: [...issueKeys.lists(project), "count", filters],
    queryFn: ({ signal }) => countIssues(project, filters, signal),
  });
