// The queries of replays.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { nextOffset } from "./release-queries.ts";

/** Rows per request. */
const page = 50;

export interface ReplayFilters {
  user?: string | undefined;
  url?: string | undefined;
  has_error?: boolean | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  issue?: number | undefined;
}

/** Filters without unset ones. */
type Asked = { [Name in keyof ReplayFilters]?: Exclude<ReplayFilters[Name], undefined> };

export const replayKeys = {
  all: (project: number) => ["project", project, "replays"] as const,
  one: (project: number, replay: string) => [...replayKeys.all(project), "one", replay] as const,
};

export const replaysQuery = (project_id: number, filters: ReplayFilters) =>
  infiniteQueryOptions({
    queryKey: [...replayKeys.all(project_id), "list", filters],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const asked = Object.entries(filters).filter(([, value]) => value !== undefined && value !== "");
      const query = { ...(Object.fromEntries(asked) as Asked), limit: page, offset: pageParam };
      const params = { path: { project_id }, query };
      const { replays, total } = await ok(api.GET("/api/v1/projects/{project_id}/replays", { params, signal }));
      return { rows: replays, total };
    },
    getNextPageParam: (_, pages) => nextOffset(pages),
    placeholderData: keepPreviousData,
  });

/** The replay that shows an event; `null` if none does. */
export const eventReplayQuery = (project_id: number, event_id: string) =>
  queryOptions({
    queryKey: [...replayKeys.all(project_id), "of event", event_id],
    queryFn: ({ signal }) => {
      const params = { path: { event_id }, query: { project_id } };
      return ok(api.GET("/api/v1/events/{event_id}/replay", { params, signal }));
    },
  });

export async function deleteReplay(project_id: number, replay_id: string): Promise<void> {
  await ok(api.DELETE("/api/v1/replays/{replay_id}", { params: { path: { replay_id }, query: { project_id } } }));
}
