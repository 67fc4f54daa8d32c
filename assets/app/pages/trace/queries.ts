import { useQueries, useQuery, queryOptions } from "@tanstack/react-query";
import { exactApi, ok } from "../../api/client.ts";
import { eventReplayQuery } from "../../api/replay-queries.ts";
import type { Event, EventSummary } from "../../api/schema.d.ts";
import { eventQuery } from "../issue/queries.ts";

/** The newest log entries of a trace that are asked for: the server's own bound. */
const entriesMax = 1_000;
/** Events whose breadcrumbs are asked for, from the first: those of one page repeat each other. */
const readMax = 5;

/** The newest log entries of a trace, and how many there are. */
export const traceEntriesQuery = (project_id: number, trace_id: string) =>
  queryOptions({
    queryKey: ["project", project_id, "logs", "of trace", trace_id],
    queryFn: ({ signal }) => {
      const params = { path: { project_id }, query: { trace_id, limit: entriesMax } };
      return ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params, signal }));
    },
  });

/** The first events of a trace, whole: those that have been answered. */
export function useTraceEvents(project: number, errors: readonly EventSummary[]): Event[] {
  const first = errors.slice(0, readMax);
  return useQueries({
    queries: first.map(({ issue_id, event_id }) => eventQuery({ project, issue: issue_id }, event_id)),
    combine: eventsOf,
  });
}

const eventsOf = (answers: { data: { event: Event } | undefined }[]): Event[] =>
  answers.flatMap(({ data }) => data?.event ?? []);

/** The replay that shows the first event of a page's window. */
export function useTraceReplay(project: number, events: readonly Event[]) {
  const shown = events.find(({ replay_id, session_id, window_id }) => replay_id || (session_id && window_id));
  const { data } = useQuery({
    ...eventReplayQuery(project, shown?.event_id ?? "", shown?.received_at ?? ""),
    enabled: shown !== undefined,
  });
  return data ?? undefined;
}
