// Events in quarantine, which the API calls *set aside*.

import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, exactApi, ok } from "./client.ts";
import { projectQuery } from "./queries.ts";
import type { RetriedEvent } from "./schema.d.ts";

/** Rows per request. */
const page = 50;

const listKey = (project: number) => ["project", project, "set-aside"] as const;
const one = (project_id: number, set_aside_id: number) => ({ params: { path: { project_id, set_aside_id } } });

export const setAsideQuery = (project_id: number) =>
  infiniteQueryOptions({
    queryKey: [...listKey(project_id), "list"],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => {
      const params = { path: { project_id }, query: { limit: page, offset: pageParam } };
      return ok(api.GET("/api/v1/projects/{project_id}/set-aside", { params, signal }));
    },
    getNextPageParam: (last, pages) =>
      last.has_more && last.events.length > 0 ? pages.reduce((sum, { events }) => sum + events.length, 0) : undefined,
  });

/** One event with its payload, which never changes. */
export const setAsideDetailQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...listKey(project), "one", id],
    queryFn: ({ signal }) =>
      ok(exactApi.GET("/api/v1/projects/{project_id}/set-aside/{set_aside_id}", { ...one(project, id), signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Puts an event back into the queue, and waits some seconds for the outcome. */
export const retrySetAside = (project: number, id: number): Promise<RetriedEvent> =>
  ok(api.POST("/api/v1/projects/{project_id}/set-aside/{set_aside_id}/retry", one(project, id)));

export async function deleteSetAside(project: number, id: number): Promise<void> {
  await ok(api.DELETE("/api/v1/projects/{project_id}/set-aside/{set_aside_id}", one(project, id)));
}

/** Deletes all events up to the newest one that the person has seen. */
export const deleteAllSetAside = (project_id: number, through: number) =>
  ok(api.DELETE("/api/v1/projects/{project_id}/set-aside", { params: { path: { project_id }, query: { through } } }));

/** Refreshes the list, and the count that the list of issues shows. */
export const refreshSetAside = (cache: QueryClient, project: number) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: setAsideQuery(project).queryKey }),
    cache.invalidateQueries({ queryKey: projectQuery(project).queryKey }),
  ]);
