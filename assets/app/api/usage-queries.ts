// Use of the disk, and retention.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { operations } from "./schema.d.ts";

/** Limits to try; missing ones are the instance's. */
export type TriedLimits = NonNullable<operations["preview_project_retention"]["parameters"]["query"]>;

export const instanceUsageQuery = queryOptions({
  queryKey: ["instance", "usage"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance/usage", { signal })),
  refetchInterval: 60_000,
});

/** The limits of all projects, and what they would remove. */
export const instanceRetentionQuery = queryOptions({
  queryKey: ["instance", "retention"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance/retention", { signal })),
});

/** What other limits for all projects would remove. */
export const instancePreviewQuery = (tried: TriedLimits) =>
  queryOptions({
    queryKey: ["instance", "retention", tried],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/instance/retention/preview", { params: { query: tried }, signal })),
    placeholderData: keepPreviousData,
  });

export const projectUsageQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "usage"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/usage", { params: { path: { project_id } }, signal })),
  });

/** The limits of a project, and what they would remove. */
export const projectRetentionQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "retention"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/retention", { params: { path: { project_id } }, signal })),
  });

/** What other limits of the project would remove. */
export const projectPreviewQuery = (project_id: number, tried: TriedLimits) =>
  queryOptions({
    queryKey: ["project", project_id, "retention", tried],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/projects/{project_id}/retention/preview", {
          params: { path: { project_id }, query: tried },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
