import { useLocalStorage } from "@mantine/hooks";
import { type QueryClient, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { countIssues } from "../../api/queries.ts";
import type { NewView, Sort, UpdateView, View } from "../../api/schema.d.ts";
import { useIdle } from "../../ui/use-idle.ts";
import { addressOf, type IssueSearch, partsOf } from "./address.ts";

/** A saved query. */
export interface SavedView {
  name: string;
  query: string;
}

/** Views that everybody has. */
export const givenViews: readonly SavedView[] = [
  { name: "Mine", query: "is:unresolved is:mine" },
  { name: "Escalating", query: "is:escalating" },
  { name: "Regressed", query: "is:regressed" },
  { name: "New this week", query: "is:new" },
];

/** Milliseconds after which the issues of views are counted again. */
const counted = 60_000;

/** The views of a project that the person sees: their own, then those that others share, the newest first. */
export const viewsQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "views"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id } };
      return (await ok(api.GET("/api/v1/projects/{project_id}/views", { params, signal }))).views;
    },
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? counted : false),
  });

/** Milliseconds after which the issues of given views are counted again: each costs a request. */
const givenCounted = 120_000;

/** The issue counts of these views, by name; fetched after the page. */
export function useGivenCounts(project: number, views: readonly SavedView[]): ReadonlyMap<string, number> {
  const isIdle = useIdle();
  return useQueries({
    queries: views.map(({ query }) => ({
      queryKey: [...viewsQuery(project).queryKey, "count", query],
      queryFn: ({ signal }: { signal: AbortSignal }) => countIssues(project, { query }, signal),
      enabled: isIdle,
      staleTime: givenCounted,
      refetchInterval: givenCounted,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, at) => (data === undefined ? [] : [[views[at]?.name ?? "", data]]))),
  });
}

const none: View[] = [];

/** The same, as far as they are loaded. */
export const useViews = (project: number | undefined): View[] =>
  useQuery({ ...viewsQuery(project ?? 0), enabled: project !== undefined }).data ?? none;

/** The address parameters that show a view. */
export const viewSearch = ({ query, sort }: SavedView & { sort?: Sort }): IssueSearch => ({
  ...addressOf(partsOf(query)),
  sort: sort === "last_seen" ? undefined : sort,
});

const askAgain = (cache: QueryClient, project: number) =>
  cache.invalidateQueries({ queryKey: viewsQuery(project).queryKey, exact: true });

export async function saveView(cache: QueryClient, project_id: number, body: NewView): Promise<void> {
  await ok(api.POST("/api/v1/projects/{project_id}/views", { params: { path: { project_id } }, body }));
  await askAgain(cache, project_id);
}

export async function changeView(cache: QueryClient, project_id: number, view: View, body: UpdateView): Promise<void> {
  const params = { path: { project_id, view_id: view.id } };
  await ok(api.PATCH("/api/v1/projects/{project_id}/views/{view_id}", { params, body }));
  await askAgain(cache, project_id);
}

export async function deleteView(cache: QueryClient, project_id: number, view: View): Promise<void> {
  const params = { path: { project_id, view_id: view.id } };
  await ok(api.DELETE("/api/v1/projects/{project_id}/views/{view_id}", { params }));
  await askAgain(cache, project_id);
}

/** Views stored in this browser, from before the server stored them; newest first. */
export const useBrowserViews = (project: number) =>
  useLocalStorage<SavedView[]>({ key: `mayday.views.${project}`, defaultValue: [], getInitialValueInEffect: false });

/** Moves views to the server, in order, and returns those that were refused, with the reasons. */
export async function takeOver(
  views: readonly SavedView[],
  save: (view: SavedView) => Promise<void>,
): Promise<{ left: SavedView[]; why: unknown }> {
  const left: SavedView[] = [];
  let why: unknown;
  for (const view of views.toReversed()) {
    try {
      await save(view);
    } catch (error) {
      left.unshift(view);
      why = error;
    }
  }
  return { left, why };
}
