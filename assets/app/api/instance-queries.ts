// The instance as whoever runs it sees it.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { Announce, Announced } from "./schema.d.ts";

/** Tells everybody on the instance something. */
export const announce = (body: Announce): Promise<Announced> =>
  ok(api.POST("/api/v1/instance/announcements", { body }));

/** Its version, what it is told of newer ones, what it sends, and what its jobs do. */
export const overviewQuery = queryOptions({
  queryKey: ["instance", "overview"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance", { signal })),
  refetchInterval: 60_000,
});

/** The backups that the server makes by itself. */
export const backupsQuery = queryOptions({
  queryKey: ["instance", "backups"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/instance/backups", { signal })),
  refetchInterval: 60_000,
});
