// The instance as its administrators see it.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { ApiError, detailOf } from "./error.ts";
import type { Announce, Announced, Health } from "./schema.d.ts";

/** Sends an announcement to everybody on the instance. */
export const announce = (body: Announce): Promise<Announced> =>
  ok(api.POST("/api/v1/instance/announcements", { body }));

/** Its version, available updates, the heartbeat, and the jobs. */
export const overviewQuery = queryOptions({
  queryKey: ["instance", "overview"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance", { signal })),
  refetchInterval: 60_000,
});

/** Whether it can accept what it is sent; a server that cannot says so with 503. */
export const healthQuery = queryOptions({
  queryKey: ["instance", "health"],
  queryFn: async ({ signal }): Promise<Health> => {
    const { data, error, response } = await api.GET("/health", { signal });
    if (data) return data;
    if (response.status === 503 && error && "status" in error) return error;
    throw new ApiError(response.status, detailOf(response.status, error));
  },
  refetchInterval: 60_000,
});

/** Scheduled backups. */
export const backupsQuery = queryOptions({
  queryKey: ["instance", "backups"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance/backups", { signal })),
  refetchInterval: 60_000,
});
