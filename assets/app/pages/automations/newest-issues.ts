import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { issueKeys } from "../../api/queries.ts";

/** How many there are to choose from. */
const most = 50;

/** The unresolved issues of a project that were seen last. */
export const newestIssuesQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...issueKeys.lists(project_id), "unresolved"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { status: "unresolved", limit: most } as const };
      return (await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }))).issues;
    },
  });
