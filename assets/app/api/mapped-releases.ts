// Apart from the other queries of releases, because the checklist needs this one beside every page.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";

/** The latest releases that are looked at. */
const latest = 50;

export const releaseKeys = {
  all: (project: number) => ["project", project, "releases"] as const,
  one: (project: number, version: string) => [...releaseKeys.all(project), "one", version] as const,
};

/** Whether one of the latest releases has source maps. */
export const mappedReleasesQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...releaseKeys.all(project_id), "mapped"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { limit: latest } };
      const { releases } = await ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
      return releases.some(({ source_map_count }) => source_map_count > 0);
    },
  });
