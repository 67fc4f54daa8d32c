import { useLocalStorage } from "@mantine/hooks";
import { type QueryClient, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, ok } from "../api/client.ts";
import { ApiError, isStatus } from "../api/error.ts";
import { countIssues } from "../api/queries.ts";
import type { NewView, Sort, UpdateView, View } from "../api/schema.d.ts";
import { useIdle } from "../hooks/use-idle.ts";
import { askedWithin, isLimited, type Limits, limitWords, periodOf } from "../navigation/limits.ts";
import { addressOf, type IssueSearch, partsOf, wholeOf } from "./address.ts";

/** What a view keeps of a list. */
export interface ViewContent {
  query: string;
  sort?: Sort;
  environment?: string | null;
  period?: string | null;
}

/** A query to come back to. */
export interface SavedView extends ViewContent {
  name: string;
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

export const viewsKey = (project: number) => ["project", project, "views"] as const;

const listViews = async (
  project_id: number,
  query: ReturnType<typeof askedWithin> & { counts?: boolean },
  signal: AbortSignal,
) =>
  (await ok(api.GET("/api/v1/projects/{project_id}/views", { params: { path: { project_id }, query }, signal }))).views;

/**
 * The views of a project that the person sees: their own, then those that others share, the newest first. Their issues
 * are counted within the limits that are chosen, where a view keeps none. Counting that took too long is not tried again
 * before it is due.
 */
export const viewsQuery = (project_id: number, chosen: Limits) =>
  queryOptions({
    queryKey: [...viewsKey(project_id), "list", askedWithin(chosen)] as const,
    queryFn: async ({ client, signal }) => {
      const views = await listViews(project_id, askedWithin(chosen), signal);
      // Within other limits, only the counts differ.
      const names = views.map((view) => ({ ...view, issue_count: null }));
      client.setQueryData(viewNamesQuery(project_id).queryKey, names);
      return views;
    },
    // Also without any: somebody else may share one.
    refetchInterval: counted,
    refetchOnWindowFocus: ({ state }) => state.status !== "error",
    retry: false,
    retryOnMount: false,
  });

/** The same without their counts, for those who only want their names: quick, and the same until a view is changed. */
export const viewNamesQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...viewsKey(project_id), "list", "names"] as const,
    queryFn: ({ signal }) => listViews(project_id, { counts: false }, signal),
  });

/** Milliseconds after which the issues of given views are counted again: each costs a request. */
const givenCounted = 120_000;

/** How many issues given views have within the limits that are chosen, by name; the page comes first. */
export function useGivenCounts(
  project: number,
  views: readonly SavedView[],
  chosen: Limits,
): ReadonlyMap<string, number> {
  const isIdle = useIdle();
  return useQueries({
    queries: views.map(({ query }) => ({
      queryKey: [...viewsKey(project), "count", query, askedWithin(chosen)],
      queryFn: ({ signal }: { signal: AbortSignal }) => countIssues(project, { query, ...askedWithin(chosen) }, signal),
      enabled: isIdle,
      staleTime: givenCounted,
      refetchInterval: givenCounted,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, at) => (data === undefined ? [] : [[views[at]?.name ?? "", data]]))),
  });
}

const none: View[] = [];

/** The views of a project as far as they are known: without their counts until these are there. */
export function useViews(project: number | undefined, chosen: Limits): View[] {
  const { data, isError } = useQuery({ ...viewsQuery(project ?? 0, chosen), enabled: project !== undefined });
  const names = useQuery({
    ...viewNamesQuery(project ?? 0),
    // Without limits, counting is about as quick.
    enabled: project !== undefined && data === undefined && (isLimited(chosen) || isError),
  });
  return data ?? names.data ?? none;
}

/** The same where only their names are wanted. */
export const useViewNames = (project: number | undefined): View[] =>
  useQuery({ ...viewNamesQuery(project ?? 0), enabled: project !== undefined }).data ?? none;

/** What a view is limited to by itself. */
const limitsOfView = ({ environment, period }: ViewContent): Required<Limits> => ({
  environment: environment ?? undefined,
  period: periodOf(period),
});

/** What the address of the list says when it shows a view. Where the view has no limits, those that are chosen stay. */
export const viewSearch = (view: ViewContent, chosen: Limits): IssueSearch => {
  const { environment, period } = limitsOfView(view);
  return {
    ...addressOf(partsOf(view.query)),
    sort: view.sort === "last_seen" ? undefined : view.sort,
    environment: environment ?? chosen.environment,
    period: period ?? chosen.period,
  };
};

/** The view that a list shows: one of its query and without other limits; of several, the one with most limits. */
export function shownView(views: readonly SavedView[], query: string, shown: Limits): SavedView | undefined {
  const fitting = views.flatMap((view) => {
    const { environment, period } = limitsOfView(view);
    const fits = (own: string | undefined, its: string | undefined) => own === undefined || own === its;
    const isShown =
      wholeOf(partsOf(view.query)) === query && fits(environment, shown.environment) && fits(period, shown.period);
    return isShown ? [{ view, count: [environment, period].filter((own) => own !== undefined).length }] : [];
  });
  return fitting.toSorted((a, b) => b.count - a.count)[0]?.view;
}

const orders = { first_seen: "first seen", events: "events", users: "users" } as const;

/** What a view keeps besides its query, in words: `in production in the last 7 days, sorted by events`. */
export function keptWords(view: ViewContent): string {
  const { sort = "last_seen" } = view;
  const order = sort === "last_seen" ? "" : `sorted by ${orders[sort]}`;
  return [limitWords(limitsOfView(view)), order].filter((words) => words !== "").join(", ");
}

/** Which limits a view does not keep, and what becomes of them; empty if it keeps both. */
export function leftWords(view: ViewContent): string {
  const { environment, period } = limitsOfView(view);
  if (environment === undefined && period === undefined)
    return "It saves no environment and no period, so it opens with those that are selected at the time.";
  if (environment === undefined)
    return "It saves no environment, so it opens with the one that is selected at the time.";
  return period === undefined ? "It saves no period, so it opens with the one that is selected at the time." : "";
}

/** Within what the issues of a view are counted, which is what it shows: `issues in production`. */
export const countedWords = (view: ViewContent, chosen: Limits): string =>
  `issues ${limitWords(viewSearch(view, chosen))}`.trimEnd();

/** Whether a view keeps just what a list shows; the meaning of a query counts, not its spelling. */
export const keeps = (view: ViewContent, shown: ViewContent): boolean => {
  const [one, other] = [view, shown].map(({ query, sort = "last_seen", environment = null, period = null }) =>
    JSON.stringify([wholeOf(partsOf(query)), sort, environment, period]),
  );
  return one === other;
};

/** Everything that a view shows, in words. */
export const viewWords = (view: ViewContent): string =>
  [view.query === "" ? "all issues" : view.query, keptWords(view)].filter((words) => words !== "").join(" ");

const askAgain = (cache: QueryClient, project: number) =>
  cache.invalidateQueries({ queryKey: [...viewsKey(project), "list"] });

/** Of a view that is listed but not found, says that it is gone, and lists those that are left. */
function goneOr(error: unknown, cache: QueryClient, project: number): never {
  if (!isStatus(error, 404)) throw error;
  void askAgain(cache, project);
  throw new ApiError(404, "This view was deleted meanwhile, or you no longer have access to it.");
}

export async function saveView(cache: QueryClient, project_id: number, body: NewView): Promise<void> {
  await ok(api.POST("/api/v1/projects/{project_id}/views", { params: { path: { project_id } }, body }));
  await askAgain(cache, project_id);
}

export async function changeView(cache: QueryClient, project_id: number, view: View, body: UpdateView): Promise<void> {
  const params = { path: { project_id, view_id: view.id } };
  const sent = ok(api.PATCH("/api/v1/projects/{project_id}/views/{view_id}", { params, body }));
  await sent.catch((error: unknown) => goneOr(error, cache, project_id));
  await askAgain(cache, project_id);
}

export async function deleteView(cache: QueryClient, project_id: number, view: View): Promise<void> {
  const params = { path: { project_id, view_id: view.id } };
  const sent = ok(api.DELETE("/api/v1/projects/{project_id}/views/{view_id}", { params }));
  await sent.catch((error: unknown) => goneOr(error, cache, project_id));
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
