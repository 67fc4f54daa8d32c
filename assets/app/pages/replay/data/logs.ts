import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import type { LogEntry, ReplayDetails } from "../../../api/schema.d.ts";
import { term } from "../../logs/terms.ts";
import type { Summary } from "./summary.ts";

/** Log entries that the server answers with at once, and traces that one search names. */
const logsMost = 1_000;
export const tracesAtOnce = 50;
/** Milliseconds around the replay: its clock and those of servers differ. */
const slack = 5_000;
/** While a replay is being read, its logs are not requested again for every second that it grows. */
const step = 15_000;
/** A replay has at most an hour; traces that have ended are requested again after a while, because logs may be late. */
const longest = 3_600_000;
const pause = 600_000;

type Recorded = Pick<ReplayDetails, "replay_id" | "duration_ms">;

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

/** The search for no trace. */
const nothing = "trace:";

/** Traces in the search language; our clients' traces never need quotes. */
export const searchOf = (traces: readonly string[]): string =>
  `trace:${traces.filter((id) => term("trace", id) === `trace:${id}`).join()}`;

/** Searches for some of the traces each: a page that never reloads has one for each of its addresses. */
export function searchesOf(traces: readonly string[]): string[] {
  const searches: string[] = [];
  for (let from = 0; from < traces.length; from += tracesAtOnce)
    searches.push(searchOf(traces.slice(from, from + tracesAtOnce)));
  return searches.filter((search) => search !== nothing);
}

/** The log entries of the traces during the recording: of the page, and of the servers that it called. */
export function replayLogsQuery(project_id: number, replay: Recorded, { start, duration, traces }: Summary) {
  const span = Math.ceil(Math.max(duration, replay.duration_ms) / step) * step;
  const searches = searchesOf(traces);
  const key = ["project", project_id, "logs", "of replay", replay.replay_id] as const;
  return queryOptions({
    queryKey: [...key, span, searches],
    enabled: start > 0 && searches.length > 0,
    queryFn: async ({ client, signal: left }): Promise<ReplayLogs> => {
      left.addEventListener("abort", () => void client.cancelQueries({ queryKey: [...key, "part"] }));
      // Only the last traces continue, and logs may be late; earlier ones are not requested again as the recording
      // grows.
      const parts = searches.map((search, index) => {
        const [until, staleTime] = index >= searches.length - 2 ? [span, step] : [longest, pause];
        const query = { search, start_time: iso(start - slack), end_time: iso(start + until + slack), limit: logsMost };
        return client.fetchQuery({
          queryKey: [...key, "part", until, search],
          queryFn: ({ signal }) =>
            ok(api.GET("/api/v1/projects/{project_id}/logs", { params: { path: { project_id }, query }, signal })),
          staleTime,
          // Not observed by itself; the combined query retries.
          gcTime: pause,
          retry: false,
        });
      });
      const answers = await Promise.all(parts);
      const entries = answers.flatMap(({ logs }) => logs);
      return { lines: linesOf(entries, start), total: answers.reduce((sum, { total }) => sum + total, 0) };
    },
    placeholderData: keepPreviousData,
  });
}

const iso = (time: number): string => new Date(time).toISOString();

export function linesOf(logs: readonly LogEntry[], start: number): LogLine[] {
  const lines = logs.map((entry) => ({ at: Math.max(0, Date.parse(entry.timestamp) - start), entry }));
  return lines.sort((one, other) => one.at - other.at);
}
