import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { isStatus } from "../../api/error.ts";
import { type IssueFilters, issueKeys } from "../../api/queries.ts";
import type { Change, Issue } from "../../api/schema.d.ts";
import { sessionEnded } from "../../api/session.ts";
import { recountViews } from "../../issue-search/recount.ts";
import { counted } from "../../ui/format.ts";
import { done, problem } from "../../ui/notify.ts";

/** Issues that the server changes at once. */
export const changeMost = 1_000;

/** Changes the affected issues, and shows a message. */
export type Run = (change: Change, said: string) => void;

/** Changes several issues and shows a message. Offers an undo if their earlier state is known. */
export function useChangeIssues(project: number, known: ReadonlyMap<number, Issue>) {
  const cache = useQueryClient();
  return async (ids: number[], change: Change, said: string): Promise<boolean> => {
    const back = undoing(ids, change, known);
    try {
      const updated = await send(project, ids, change);
      done(`${counted(updated, "issue")} ${said}`, back ? () => void putBack(cache, project, back) : null);
      await refresh(cache, project);
      return true;
    } catch (error) {
      if (isStatus(error, 401)) sessionEnded();
      else problem("Nothing was changed", error);
      return false;
    }
  };
}

interface Group {
  ids: number[];
  change: Change;
}

/**
 * The changes that undo one, grouped by earlier state. `undefined` if a part of it is unknown or cannot be restored
 * completely (the conditions of an ignored issue).
 */
export function undoing(ids: number[], change: Change, known: ReadonlyMap<number, Issue>): Group[] | undefined {
  const groups = new Map<string, Group>();
  for (const id of ids) {
    const issue = known.get(id);
    if (!issue) return undefined;
    const before: Change = {};
    if (change.status !== undefined) {
      if (issue.status !== "unresolved") return undefined;
      before.status = issue.status;
    }
    if (change.assignee !== undefined) before.assignee = issue.assignee?.id ?? null;
    if (change.priority !== undefined) before.priority = issue.priority;
    const key = JSON.stringify(before);
    const group = groups.get(key) ?? { ids: [], change: before };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function putBack(cache: QueryClient, project: number, groups: Group[]): Promise<void> {
  try {
    for (const { ids, change } of groups) await send(project, ids, change);
    done("Change undone");
  } catch (error) {
    problem("Not everything could be undone", error);
  }
  await refresh(cache, project);
}

async function send(project_id: number, ids: number[], change: Change): Promise<number> {
  const params = { path: { project_id } };
  return (await ok(api.PATCH("/api/v1/projects/{project_id}/issues", { params, body: { ids, ...change } }))).updated;
}

async function refresh(cache: QueryClient, project: number): Promise<void> {
  void cache.invalidateQueries({ queryKey: ["project", project, "issue"] });
  recountViews(cache, project);
  await cache.invalidateQueries({ queryKey: issueKeys.lists(project) });
}

/** All issues that a list has, as far as one change reaches. */
export async function allOf(project: number, filters: IssueFilters, signal: AbortSignal): Promise<Issue[]> {
  const found: Issue[] = [];
  for (let offset = 0; offset < changeMost; offset += 100) {
    const params = { path: { project_id: project }, query: { ...filters, limit: 100, offset } };
    const page = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
    found.push(...page.issues);
    if (!page.has_more) break;
  }
  return found;
}
