import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { EventType, type Recorded, tags } from "../../../../client/replay/format.ts";
import type { LogEntry } from "../../../api/schema.d.ts";
import { lanesOf, places } from "../player/lanes.ts";
import type { Moment } from "../player/moments.ts";
import { stepsOf } from "./crumbs.ts";
import { linesOf, type ReplayLogs, replayLogsQuery, searchesOf } from "./logs.ts";
import { nothingKnown } from "./sanitize.ts";
import { emptySummary, note, tracesMost } from "./summary.ts";

/** Searches that the server was asked; it answers each with one entry of two. */
const asked = vi.hoisted(() => [] as { search: string; start_time: string; end_time: string }[]);
vi.mock("../../../api/client.ts", () => ({
  ok: (answer: unknown) => answer,
  exactApi: {
    GET: (_: string, { params }: { params: { query: (typeof asked)[number] } }) => {
      asked.push(params.query);
      return Promise.resolve({ logs: [{ timestamp: new Date(2_000).toISOString(), level: "info" }], total: 2 });
    },
  },
}));

const replay = { replay_id: "r", duration_ms: 3_600_000, clock_lag_ms: null };
const minute = 60_000;

const told = (seconds: number, tag: string, payload: object): Recorded => ({
  type: EventType.Custom,
  timestamp: 1_000 + seconds * 1_000,
  data: { tag, payload },
});

function story() {
  const summary = emptySummary(1_000);
  const events = [
    told(0, tags.trace, { trace_id: "a".repeat(32) }),
    told(1, tags.crumb, { category: "ui.click", message: "button#pay" }),
    told(2, tags.crumb, { category: "cart", level: "warning", message: "empty" }),
    told(3, tags.console, { level: "error", message: "no price" }),
    told(4, tags.network, { method: "POST", url: "/pay", status: 500, duration: 1_500 }),
    told(5, tags.trace, { trace_id: "b c" }),
    told(6, tags.trace, { trace_id: "a".repeat(32) }),
    told(10, tags.navigation, { to: "/done" }),
  ];
  for (const event of events) note(summary, event, nothingKnown());
  summary.clicks.push({ at: 1_000, x: 5, y: 6, isFree: false });
  return summary;
}
const failed: Moment = { at: 3_500, kind: "error", words: "TypeError: price" };
const entry = (seconds: number, level: string) =>
  ({ timestamp: new Date(1_000 + seconds * 1_000).toISOString(), level, message: "m" }) as LogEntry;

test("breadcrumbs of a replay are in order, with clicks named by their element if known", () => {
  const summary = story();
  expect(stepsOf(summary, [failed]).map(({ at, kind, text, tone }) => [at, kind, text, tone])).toEqual([
    [1_000, "click", "button#pay", undefined],
    [2_000, "other", "cart: empty", "warning"],
    [2_500, "request", "POST /pay 500", "error"],
    [3_000, "console", "no price", "error"],
    [3_500, "error", "TypeError: price", "error"],
    [10_000, "page", "/done", undefined],
  ]);
  summary.crumbs = [];
  expect(stepsOf(summary, []).find(({ kind }) => kind === "click")?.text).toBe("5, 6");
});

test("console output, logs, requests and errors are on the same time axis", () => {
  const summary = story();
  const clock = { start: summary.start, lag: 0 };
  const logs = linesOf([entry(9, "info"), entry(5, "warn"), entry(-3, "fatal")], clock, summary.duration);
  expect(logs.map(({ at }) => at)).toEqual([0, 5_000, 9_000]);
  const lanes = lanesOf({ summary, steps: stepsOf(summary, [failed]), moments: [failed], logs }, summary.duration);
  expect(lanes.map(({ name, count }) => [name, count])).toEqual([
    ["steps", 6],
    ["logs", 3],
    ["console", 1],
    ["network", 1],
    ["errors", 1],
  ]);
  const marksOf = (name: string) => lanes.find((lane) => lane.name === name)?.marks;
  expect(marksOf("logs")).toEqual([
    [(places * 9) / 10, 1, "plain"],
    [places / 2, 1, "warning"],
    [0, 1, "error"],
  ]);
  expect(marksOf("errors")).toEqual([[Math.floor(0.35 * places), 1, "error"]]);
  expect(lanesOf({ summary: emptySummary(0), steps: [], moments: [], logs: [] }, 0)).toEqual([]);
});

test("requests are bars as long as they took, and those that failed lie on top", () => {
  const summary = emptySummary(1_000);
  summary.duration = 10_000;
  const request = (at: number, duration: number, status: number) => ({ at, duration, status, method: "GET", url: "/" });
  summary.network = [
    request(1_000, 5_000, 500),
    request(2_000, 3_000, 200),
    request(2_000, 3_001, 404),
    request(9_000, 60_000, 200),
    request(9_500, 0, 200),
  ];
  const [lane] = lanesOf({ summary, steps: [], moments: [], logs: [] }, summary.duration);
  const second = places / 10;
  expect(lane?.marks).toEqual([
    [9 * second, second, "plain"],
    [9.5 * second, 1, "plain"],
    [second, 5 * second + 1, "error"],
    [2 * second, 3 * second + 1, "error"],
  ]);
});

test("logs are requested once per trace, without traces that none of our clients creates", () => {
  const summary = story();
  expect(summary.traces).toEqual(["a".repeat(32), "b c"]);
  expect(searchesOf(summary.traces)).toEqual([`trace:${"a".repeat(32)}`]);
  expect(replayLogsQuery(1, replay, summary).enabled).toBe(true);
  expect(replayLogsQuery(1, replay, emptySummary(5)).enabled).toBe(false);
  expect(searchesOf(["b c"])).toEqual([]);
});

test("the logs of many traces take several requests, and early ones are requested once", async () => {
  const summary = emptySummary(1_000);
  const name = (count: number) => String(count).padStart(32, "0");
  const see = (count: number) => note(summary, told(count, tags.trace, { trace_id: name(count) }), nothingKnown());
  for (let count = 0; count < 120; count += 1) see(count);
  asked.length = 0;
  const client = new QueryClient();
  const { lines, total } = (await client.fetchQuery(replayLogsQuery(1, replay, summary) as never)) as ReplayLogs;
  expect(asked.map(({ search }) => search.split(",").length)).toEqual([50, 50, 20]);
  expect([lines.length, total]).toEqual([3, 6]);
  see(120);
  await client.fetchQuery(replayLogsQuery(1, replay, summary) as never);
  expect(asked.slice(3).map(({ search }) => search.split(",").length)).toEqual([21]);
  // It grows while it is live.
  summary.duration = replay.duration_ms + 60_000;
  await client.fetchQuery(replayLogsQuery(1, replay, summary) as never);
  expect(asked.slice(4).map(({ search }) => search.split(",").length)).toEqual([50, 21]);
  for (let count = 121; count < 600; count += 1) see(count);
  expect([summary.traces.length, summary.hasMoreTraces]).toEqual([tracesMost, true]);
});

test("logs are asked for by both clocks where the browser's was off, and only those of the replay count", async () => {
  const summary = emptySummary(1e12);
  note(summary, told(0, tags.trace, { trace_id: "a".repeat(32) }), nothingKnown());
  asked.length = 0;
  const off = { ...replay, duration_ms: minute, clock_lag_ms: -3 * minute };
  const client = new QueryClient();
  const { lines, total } = (await client.fetchQuery(replayLogsQuery(1, off, summary) as never)) as ReplayLogs;
  const seconds = (time: string) => (Date.parse(time) - summary.start) / 1_000;
  expect(asked.map(({ start_time, end_time }) => [seconds(start_time), seconds(end_time)])).toEqual([[-185, 65]]);
  // The one that the server shows is of 1970.
  expect([lines.length, total]).toEqual([0, 1]);
});

test("log entries of the page and of servers lie where they happened, and those beyond the replay are left out", () => {
  const start = 1e12;
  const sent = (seconds: number, delay: number, message: string) => {
    const iso = (after: number) => new Date(start + after * 1_000).toISOString();
    return { timestamp: iso(seconds), received_at: iso(seconds + delay), message } as LogEntry;
  };
  const logs = [
    sent(20, -176, "page"),
    sent(-160.5, 1, "server"),
    sent(-100, 1, "after the end"),
    sent(-190, 1, "before the beginning"),
  ];
  const lines = linesOf(logs, { start, lag: -3 * minute }, minute);
  expect(lines.map(({ at, entry: { message } }) => [at / 1_000, message])).toEqual([
    [19.5, "server"],
    [20, "page"],
  ]);
});
