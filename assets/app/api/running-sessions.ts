// Apart from the other queries of agents, because the navigation shows this one beside every page.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";

/** Selects the organization, because a person may belong to several. */
export const within = (organization: number) => ({ headers: { "X-Organization-Id": String(organization) } });

/** Begins the keys of everything about an organization's agents. */
export const key = (organization: number) => ["organizations", organization, "automate"] as const;

/** How often it is refetched, in milliseconds. */
const glance = 60_000;

/** Running sessions that are looked at for one that waits for a person. */
const runningMost = 50;

/** How many sessions of an organization are running, and how many of the newest of them wait for a person. */
export const runningSessionsQuery = (organization: number) =>
  queryOptions({
    queryKey: [...key(organization), "running"],
    queryFn: async ({ signal }) => {
      const params = { query: { status: "running", limit: runningMost } };
      const { sessions, total } = await ok(api.GET("/api/sessions", { ...within(organization), params, signal }));
      return { running: total, waiting: sessions.filter(({ phase }) => phase === "waiting_for_person").length };
    },
    refetchInterval: glance,
  });
