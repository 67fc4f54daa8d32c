import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import type { LogEntry } from "../../../api/schema.d.ts";
import { term } from "../../logs/terms.ts";
import type { Summary } from "./summary.ts";

/** Log entries that are shown at most: what the server answers with at once. */
const logsMost = 1_000;
/** Milliseconds around the replay: its clock and those of servers differ. */
const slack = 5_000;
/** A replay that is still being read is not asked about again for every second that it grows. */
const step = 15_000;

export interface LogLine {
  /** Milliseconds from the beginning of the replay. */
  at: number;
  entry: LogEntry;
}

export interface ReplayLogs {
  /** In order of time. */
  lines: LogLine[];
  total: number;
}

/** Traces as a search names them: those that need quotes are none of our clients'. */
export const searchOf = (traces: readonly string[]): string =>
  `trace:${traces.filter((id) => term("trace", id) === `trace:${id}`).join()}`;

/** The log entries of the traces that went on while it was recorded: of the page, and of the servers that it asked. */
export function replayLogsQuery(project_id: number, replay: string, { start, duration, traces }: Summary) {
  const span = Math.ceil(duration / step) * step;
  const search = searchOf(traces);
  return queryOptions({
    queryKey: ["project", project_id, "logs", "of replay", replay, search, span],
    enabled: start > 0 && search !== "trace:",
    queryFn: async ({ signal }): Promise<ReplayLogs> => {
      const times = { start_time: iso(start - slack), end_time: iso(start + span + slack) };
      const params = { path: { project_id }, query: { search, ...times, limit: logsMost } };
      const { logs, total } = await ok(api.GET("/api/v1/projects/{project_id}/logs", { params, signal }));
      return { lines: linesOf(logs, start), total };
    },
    placeholderData: keepPreviousData,
  });
}

const iso = (time: number): string => new Date(time).toISOString();

export function linesOf(logs: readonly LogEntry[], start: number): LogLine[] {
  const lines = logs.map((entry) => ({ at: Math.max(0, Date.parse(entry.timestamp) - start), entry }));
  return lines.sort((one, other) => one.at - other.at);
}
