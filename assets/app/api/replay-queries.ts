// The queries of replays.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { nextOffset } from "./release-queries.ts";
import { serverNow } from "./server-clock.ts";

/** Rows per request. */
const page = 50;

export interface ReplayFilters {
  user?: string | undefined;
  url?: string | undefined;
  has_error?: boolean | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  issue?: number | undefined;
  period?: string | undefined;
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

/** The names of the environments of a project's replays, those of the newest first. */
export const replayEnvironmentsQuery = (project_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "replay environments"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id } };
      const asked = api.GET("/api/v1/projects/{project_id}/replays/environments", { params, signal });
      return (await ok(asked)).environments;
    },
    // New ones are rare.
    staleTime: 5 * 60_000,
  });

/** How often a live replay is asked whether it still is, in milliseconds; the recording itself says when it was ended. */
const pause = 30_000;

/** A replay, and what happened during it. */
export const replayQuery = (project_id: number, replay_id: string) =>
  queryOptions({
    queryKey: replayKeys.one(project_id, replay_id),
    queryFn: ({ signal }) => {
      const params = { path: { replay_id }, query: { project_id } };
      return ok(api.GET("/api/v1/replays/{replay_id}", { params, signal }));
    },
    refetchInterval: ({ state }) => (state.data?.is_live ? pause : false),
  });

/** For how long after an event its replay is waited for, and how often that is asked for, in milliseconds. */
const awaited = { within: 120_000, pause: 5_000 };

/** When the replay of an event, which the server received at a time, is asked for again, in milliseconds. */
export function replayPause(
  replay: { is_live: boolean } | null | undefined,
  receivedAt: string,
  now = serverNow(),
): number | false {
  if (replay) return replay.is_live && pause;
  const isAwaited = replay === null && now - Date.parse(receivedAt) < awaited.within;
  return isAwaited && awaited.pause;
}

/** The replay that shows an event, which was received at a time; `null` if none does, or none has arrived yet. */
export const eventReplayQuery = (project_id: number, event_id: string, received_at: string) =>
  queryOptions({
    queryKey: [...replayKeys.all(project_id), "of event", event_id],
    queryFn: ({ signal }) => {
      const params = { path: { event_id }, query: { project_id } };
      return ok(api.GET("/api/v1/events/{event_id}/replay", { params, signal }));
    },
    refetchInterval: ({ state }) => replayPause(state.data, received_at),
  });

export async function deleteReplay(project_id: number, replay_id: string): Promise<void> {
  await ok(api.DELETE("/api/v1/replays/{replay_id}", { params: { path: { replay_id }, query: { project_id } } }));
}
