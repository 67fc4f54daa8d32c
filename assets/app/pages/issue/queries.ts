// The queries of the page. Data that changes or new events affect at once has the issue's key, which every live
// message makes stale; the rest is `apart`, and refetched when it is time.

import { type QueryClient, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, exactApi, ok } from "../../api/client.ts";
import { issueKeys } from "../../api/queries.ts";
import type { Issues, ShownIssue } from "../../api/schema.d.ts";
import { recountViews } from "../../issue-search/recount.ts";

/** Rows per request of the list of events. */
const eventsPage = 100;

/** An issue of a project. */
export interface Place {
  project: number;
  issue: number;
}

const path = ({ project, issue }: Place) => ({ project_id: project, issue_id: issue });
const key = ({ project, issue }: Place) => issueKeys.one(project, issue);
const apart = ({ project, issue }: Place) => ["project", project, "apart", issue] as const;

/** Of the answers that count the issue's events. */
export const numbersKey = (place: Place) => [...apart(place), "numbers"] as const;

const leaving = new Set<number>();

/** While an issue is being deleted, nothing refetches it. */
export const whileThere = ({ issue }: Place) => ({ enabled: () => !leaving.has(issue) });

/** Deletes the issue, and removes it from the cache after `leave` has left its page. */
export async function removeIssue(cache: QueryClient, place: Place, leave: () => Promise<void>): Promise<void> {
  leaving.add(place.issue);
  try {
    await ok(api.DELETE("/api/v1/projects/{project_id}/issues/{issue_id}", { params: { path: path(place) } }));
    await Promise.all([key(place), apart(place)].map((queryKey) => cache.cancelQueries({ queryKey })));
    void cache.invalidateQueries({ queryKey: issueKeys.lists(place.project) });
    recountViews(cache, place.project);
    await leave();
    for (const queryKey of [key(place), apart(place)]) cache.removeQueries({ queryKey });
  } finally {
    leaving.delete(place.issue);
  }
}

export const issueQuery = (place: Place) =>
  queryOptions({
    queryKey: [...key(place), "record"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}", { params: { path: path(place) }, signal })),
    ...whileThere(place),
  });

/** The issue as a list had it: shown until the server answers. */
export function listed(cache: QueryClient, { project, issue }: Place): ShownIssue | undefined {
  for (const [, page] of cache.getQueriesData<Partial<Issues> | number>({ queryKey: issueKeys.lists(project) })) {
    const found = typeof page === "object" ? page.issues?.find(({ id }) => id === issue) : undefined;
    if (found) return { ...found, suspect_release: null, agent_session: null };
  }
  return undefined;
}

/** The commits of the suspect release. This sends requests to the code host, so it is fetched once per visit. */
export const commitsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...apart(place), "commits"],
    queryFn: ({ signal }) => {
      const params = { path: path(place) };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/suspect-commits", { params, signal }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...whileThere(place),
  });

/** The newest event and the number of events: a small request to follow live traffic. */
export const newestQuery = (place: Place) =>
  queryOptions({
    queryKey: [...key(place), "newest"],
    queryFn: async ({ signal }) => {
      const params = { path: path(place), query: { limit: 1 } };
      const { events, total } = await ok(
        api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/events", { params, signal }),
      );
      return { event: events[0] ?? null, total };
    },
    staleTime: 0,
    ...whileThere(place),
  });

/** An event with its neighbours; without an id the newest. An upload of source maps changes how it reads. */
export const eventQuery = (place: Place, id?: string) =>
  queryOptions({
    queryKey: [...apart(place), "event", id ?? null],
    // Long enough for the request that was sent when the link was pressed.
    ...(id === undefined ? { staleTime: 1_000 } : {}),
    queryFn: ({ signal }) => {
      const params = { path: path(place), query: id === undefined ? {} : { id } };
      return ok(exactApi.GET("/api/v1/projects/{project_id}/issues/{issue_id}/event", { params, signal }));
    },
  });

/** When the issue regressed, as far as its latest activity shows. Refetched whenever its substatus changes. */
export const returnsQuery = (place: Place, substatus: string | null) =>
  queryOptions({
    queryKey: [...apart(place), "returns", substatus],
    queryFn: async ({ signal }) => {
      const params = { path: path(place), query: { limit: 100 } };
      const { activity } = await ok(
        api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/activity", { params, signal }),
      );
      return activity.filter(({ kind }) => kind === "regressed").map(({ at }) => Date.parse(at));
    },
    // One that is new has never been resolved.
    enabled: substatus !== "new" && !leaving.has(place.issue),
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached: an issue that regresses again has the same substatus.
    gcTime: 0,
  });

export const askTrend = (place: Place, hours: number, signal: AbortSignal) =>
  ok(
    api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/trend", {
      params: { path: path(place), query: { hours } },
      signal,
    }),
  );

export const tagsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...numbersKey(place), "tags"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/tags", { params: { path: path(place) }, signal })),
  });

/** The issue's events, the newest first; those with a value of a facet, if one is given. */
export const eventsQuery = (place: Place, facet?: string) =>
  infiniteQueryOptions({
    queryKey: [...apart(place), "events", facet ?? null],
    // The tab itself decides when its rows are stale.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        limit: eventsPage,
        ...(facet === undefined ? {} : { facet }),
        ...(pageParam === undefined ? {} : { before: pageParam }),
      };
      const params = { path: path(place), query };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/events", { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
