// What the page asks, all of it under the issue's key: a live message makes every part stale.

import { type QueryClient, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { issueKeys } from "../../api/queries.ts";
import type { Issue, Issues } from "../../api/schema.d.ts";
import { releaseKeys } from "../../api/release-queries.ts";

/** Rows of the list of events that are asked for at once. */
const eventsPage = 100;

/** An issue of a project. */
export interface Place {
  project: number;
  issue: number;
}

const path = ({ project, issue }: Place) => ({ project_id: project, issue_id: issue });
const key = ({ project, issue }: Place) => issueKeys.one(project, issue);

export const issueQuery = (place: Place) =>
  queryOptions({
    queryKey: [...key(place), "record"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}", { params: { path: path(place) }, signal })),
  });

/** The issue as a list had it: shown until the server answers. */
export function listed(cache: QueryClient, { project, issue }: Place): Issue | undefined {
  for (const [, page] of cache.getQueriesData<Partial<Issues> | number>({ queryKey: issueKeys.lists(project) })) {
    const found = typeof page === "object" ? page.issues?.find(({ id }) => id === issue) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** An event with its neighbours; without an id the newest. */
export const eventQuery = (place: Place, id?: string) =>
  queryOptions({
    queryKey: [...key(place), "event", id ?? null],
    queryFn: ({ signal }) => {
      const params = { path: path(place), query: id === undefined ? {} : { id } };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/event", { params, signal }));
    },
  });

export const trendQuery = (place: Place, hours: number) =>
  queryOptions({
    queryKey: [...key(place), "trend", hours],
    queryFn: ({ signal }) => {
      const params = { path: path(place), query: { hours } };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/trend", { params, signal }));
    },
  });

export const tagsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...key(place), "tags"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/tags", { params: { path: path(place) }, signal })),
  });

export const eventsQuery = (place: Place) =>
  infiniteQueryOptions({
    queryKey: [...key(place), "events"],
    queryFn: ({ signal, pageParam }) => {
      const params = { path: path(place), query: { limit: eventsPage, offset: pageParam } };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/events", { params, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * eventsPage : undefined),
  });

/** The newest versions, to choose one from. */
export const versionsQuery = (project: number) =>
  queryOptions({
    queryKey: [...releaseKeys.all(project), "versions"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id: project }, query: { limit: 20 } };
      const { releases } = await ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
      return releases.map((release) => release.version);
    },
  });
