import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { exactApi, ok } from "../../../api/client.ts";
import type { LogEntry, Replay } from "../../../api/schema.d.ts";
import { term } from "../../logs/terms.ts";
import { atOf, type Clock, lagOf, spanOf } from "./clock.ts";
import type { Summary } from "./summary.ts";

/** Log entries that the server answers with at once, and traces that one search names. */
const logsMost = 1_000;
export const tracesAtOnce = 50;
/** Milliseconds around the replay: clocks differ a little, also where none is known to be off. */
const slack = 5_000;
/** While a replay is being read, its logs are not requested again for every second that it grows. */
const step = 15_000;
/** A replay has at most an hour; traces that have ended are requested again after a while, because logs may be late. */
const longest = 3_600_000;
const pause = 600_000;

type Recorded = Pick<Replay, "replay_id" | "duration_ms" | "clock_lag_ms">;

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
  const clock = { start, lag: lagOf(replay) };
  const key = ["project", project_id, "logs", "of replay", replay.replay_id] as const;
  return queryOptions({
    queryKey: [...key, clock.lag, span, searches],
    enabled: start > 0 && searches.length > 0,
    queryFn: async ({ client, signal: left }): Promise<ReplayLogs> => {
      left.addEventListener("abort", () => void client.cancelQueries({ queryKey: [...key, "part"] }));
      // Only the last traces go on, and logs may come late: the others are not asked for again as the recording grows.
      const parts = searches.map(async (search, index) => {
        const [until, staleTime] = index >= searches.length - 2 ? [span, step] : [longest, pause];
        const [from, to] = spanOf(clock, until, slack);
        const query = { search, start_time: iso(from), end_time: iso(to), limit: logsMost };
        const { logs, total } = await client.fetchQuery({
          queryKey: [...key, "part", clock.lag, until, search],
          queryFn: ({ signal }) =>
            ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params: { path: { project_id }, query }, signal })),
          staleTime,
          // Not observed by itself; the combined query retries.
          gcTime: pause,
          retry: false,
        });
        const lines = linesOf(logs, clock, until);
        return { lines, total: total - logs.length + lines.length };
      });
      const answers = await Promise.all(parts);
      const lines = answers.flatMap((answer) => answer.lines).sort(byTime);
      return { lines, total: answers.reduce((sum, { total }) => sum + total, 0) };
    },
    placeholderData: keepPreviousData,
  });
}

const iso = (time: number): string => new Date(time).toISOString();

const byTime = (one: LogLine, other: LogLine): number => one.at - other.at;

/** Entries in order of time, without those that happened before or after so many milliseconds of the recording. */
export function linesOf(logs: readonly LogEntry[], clock: Clock, until: number): LogLine[] {
  const lines = logs.flatMap((entry): LogLine[] => {
    const at = atOf(Date.parse(entry.timestamp), Date.parse(entry.received_at), clock);
    return at < -slack || at > until + slack ? [] : [{ at: Math.max(0, at), entry }];
  });
  return lines.sort(byTime);
}
