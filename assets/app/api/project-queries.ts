// Queries of a project that its lists and its first steps need; `project-settings.ts` has the rest.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { CreatedKey, CreateKey } from "./schema.d.ts";

export const keysQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "keys"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/api-keys", { params: { path: { project_id } }, signal })),
  });

/** The names of a project's environments, those used last first. */
export const environmentsQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "environments"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id } };
      const { environments } = await ok(api.GET("/api/v1/projects/{project_id}/environments", { params, signal }));
      return environments.map(({ name }) => name);
    },
    // New ones are rare.
    staleTime: 5 * 60_000,
  });

export const createKey = (project_id: number, body: CreateKey): Promise<CreatedKey> =>
  ok(api.POST("/api/v1/projects/{project_id}/api-keys", { params: { path: { project_id } }, body }));
