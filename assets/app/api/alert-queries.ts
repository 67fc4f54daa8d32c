// Alert rules of a project, their channels, and what was sent.

import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type {
  AlertPreview,
  AlertRule,
  AlertTest,
  CreateAlertChannel,
  NewAlertRule,
  ShownAlertChannel,
  UpdateAlertChannel,
} from "./schema.d.ts";

const key = (project: number) => ["project", project, "alerts"] as const;
const of = (project_id: number) => ({ params: { path: { project_id } } });

export const alertChannelsQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), "channels"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/projects/{project_id}/alert-channels", { ...of(project), signal })),
  });

export const alertRulesQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), "rules"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/projects/{project_id}/alert-rules", { ...of(project), signal })),
  });

/** Messages of a page. */
export const DELIVERIES_PAGE = 25;

/** A page of sent and pending messages, newest first. */
export const alertDeliveriesQuery = (project_id: number, page: number) =>
  queryOptions({
    queryKey: [...key(project_id), "deliveries", page],
    queryFn: ({ signal }) => {
      const query = { limit: DELIVERIES_PAGE, offset: page * DELIVERIES_PAGE };
      const params = { path: { project_id }, query };
      return ok(api.GET("/api/v1/projects/{project_id}/alert-deliveries", { params, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

export const createAlertChannel = (project: number, body: CreateAlertChannel): Promise<ShownAlertChannel> =>
  ok(api.POST("/api/v1/projects/{project_id}/alert-channels", { ...of(project), body }));

const channel = (project_id: number, channel_id: number) => ({ params: { path: { project_id, channel_id } } });
const rule = (project_id: number, rule_id: number) => ({ params: { path: { project_id, rule_id } } });

export const changeAlertChannel = (
  project: number,
  id: number,
  change: UpdateAlertChannel,
): Promise<ShownAlertChannel> =>
  ok(api.PATCH("/api/v1/projects/{project_id}/alert-channels/{channel_id}", { ...channel(project, id), body: change }));

export async function deleteAlertChannel(project: number, id: number): Promise<void> {
  await ok(api.DELETE("/api/v1/projects/{project_id}/alert-channels/{channel_id}", channel(project, id)));
}

/** Sends a test message, and returns the outcome. */
export const testAlertChannel = (project: number, id: number): Promise<AlertTest> =>
  ok(api.POST("/api/v1/projects/{project_id}/alert-channels/{channel_id}/test", channel(project, id)));

export const createAlertRule = (project: number, body: NewAlertRule): Promise<AlertRule> =>
  ok(api.POST("/api/v1/projects/{project_id}/alert-rules", { ...of(project), body }));

export const changeAlertRule = (project: number, id: number, body: Partial<NewAlertRule>): Promise<AlertRule> =>
  ok(api.PATCH("/api/v1/projects/{project_id}/alert-rules/{rule_id}", { ...rule(project, id), body }));

export async function deleteAlertRule(project: number, id: number): Promise<void> {
  await ok(api.DELETE("/api/v1/projects/{project_id}/alert-rules/{rule_id}", rule(project, id)));
}

export const previewAlertRule = (project: number, body: NewAlertRule): Promise<AlertPreview> =>
  ok(api.POST("/api/v1/projects/{project_id}/alert-rules/preview", { ...of(project), body }));

/** Refetches all of these. */
export const refreshAlerts = (cache: QueryClient, project: number) =>
  cache.invalidateQueries({ queryKey: key(project) });
