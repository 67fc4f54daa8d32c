// Queries and changes of the project settings.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { HighValueAccounts, Project, RetentionSettings, Scrubbing } from "./schema.d.ts";

export const limitsQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "limits"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/limits", { params: { path: { project_id } }, signal })),
    // They change only when the server restarts.
    staleTime: 10 * 60_000,
  });

/** Changes of a project; what is missing stays as it is. */
export interface ProjectChange {
  name?: string;
  platform?: string | null;
  /** Ids; the first one first. */
  repositories?: string[];
  settings?: { scrubbing?: Partial<Scrubbing>; retention?: RetentionSettings; high_value?: HighValueAccounts };
}

export const changeProject = (project_id: number, change: ProjectChange): Promise<Project> =>
  ok(
    api.PATCH("/api/v1/projects/{project_id}", {
      params: { path: { project_id } },
      // The API document requires complete settings; the server accepts parts of them.
      body: change as never,
    }),
  );

export async function deleteProject(project_id: number): Promise<void> {
  await ok(api.DELETE("/api/v1/projects/{project_id}", { params: { path: { project_id } } }));
}

export async function revokeKey(project_id: number, key_id: number): Promise<void> {
  await ok(api.DELETE("/api/v1/projects/{project_id}/api-keys/{key_id}", { params: { path: { project_id, key_id } } }));
}
