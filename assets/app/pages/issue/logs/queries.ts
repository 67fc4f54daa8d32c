import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { exactApi, ok } from "../../../api/client.ts";
import type { Event } from "../../../api/schema.d.ts";
import { type Sides, around, pageOf } from "./timeline.ts";

/** Entries of the event's trace nearest to it; how many there are before it, and in all. */
export const traceLogsQuery = ({ event_id, project_id, trace_id, timestamp }: Event, sides: Sides) =>
  queryOptions({
    queryKey: ["project", project_id, "logs", "of event", event_id, sides],
    queryFn: async ({ signal }) => {
      const times = { start_time: new Date(Date.parse(timestamp) - around).toISOString(), end_time: timestamp };
      const params = { path: { project_id }, query: { ...times, trace_id: trace_id ?? "", limit: 1 } };
      const { total: earlier } = await ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params, signal }));
      const page = { project_id, ...pageOf(earlier, sides) };
      const answer = await ok(
        exactApi.GET("/api/v1/events/{event_id}/logs", { params: { path: { event_id }, query: page }, signal }),
      );
      return { ...answer, offset: page.offset };
    },
    placeholderData: keepPreviousData,
  });
