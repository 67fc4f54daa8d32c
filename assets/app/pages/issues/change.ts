import { useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { issueKeys } from "../../api/queries.ts";
import type { Change } from "../../api/schema.d.ts";
import { counted } from "../../ui/format.ts";
import { done, problem } from "../../ui/notify.ts";

/** Issues that the server changes at once. */
export const changeMost = 1_000;

/** Changes issues together and says so; what they were before is not known here, so there is no undo. */
export function useChangeIssues(project: number) {
  const cache = useQueryClient();
  return async (ids: number[], change: Change, said: string): Promise<boolean> => {
    try {
      const params = { path: { project_id: project } };
      const { updated } = await ok(api.PATCH("/api/v1/projects/{project_id}/issues", { params, body: { ids, ...change } }));
      done(`${counted(updated, "issue")} ${said}`);
      await cache.invalidateQueries({ queryKey: issueKeys.lists(project) });
      void cache.invalidateQueries({ queryKey: ["project", project, "issue"] });
      return true;
    } catch (error) {
      problem("Nothing was changed", error);
      return false;
    }
  };
}

/** The ids of all issues that a query finds, as far as one change reaches. */
export async function idsOf(project: number, query: string): Promise<number[]> {
  const ids: number[] = [];
  for (let offset = 0; offset < changeMost; offset += 100) {
    const params = { path: { project_id: project }, query: { query, limit: 100, offset } };
    const page = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params }));
    ids.push(...page.issues.map(({ id }) => id));
    if (!page.has_more) break;
  }
  return ids;
}
