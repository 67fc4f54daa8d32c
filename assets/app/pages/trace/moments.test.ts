import { expect, test } from "vitest";
import type { EventSummary, LogEntry } from "../../api/schema.d.ts";
import { event } from "../issue/samples.ts";
import { startOf, traceMoments, wordOf } from "./moments.ts";

const start = Date.parse("2026-11-28T12:00:00.000Z");
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
const error = (event_id: string, seconds: number) =>
  ({ event_id, timestamp: at(seconds), title: `Error ${event_id}`, level: "error" }) as EventSummary;
const log = (id: number, seconds: number) =>
  ({ id, timestamp: at(seconds), level: "info", logger_name: null, message: `entry ${id}` }) as LogEntry;
const crumb = (seconds: number, message: string) => ({
  timestamp: at(seconds),
  category: "ui.click",
  message,
  level: null,
  type: null,
  data: null,
});

test("times are told from the first event, or from the first entry where there is none", () => {
  expect(startOf({ errors: [error("b", 3), error("a", 1)], logs: [log(1, -5)] })).toBe(start + 1_000);
  expect(startOf({ errors: [], logs: [log(1, 2), log(2, -5)] })).toBe(start - 5_000);
});

test("events, breadcrumbs and entries are in the order of time, a breadcrumb of two events once", () => {
  const events = [
    event({ timestamp: at(0), breadcrumbs: [crumb(-2, "button")] }),
    event({ timestamp: at(4), breadcrumbs: [crumb(-2, "button"), crumb(3, "link")] }),
  ];
  const moments = traceMoments({ errors: [error("a", 0), error("b", 4)], events, logs: [log(1, 1)] }, start);
  expect(moments.map(({ at, lane, id }) => [at / 1_000, lane, id])).toEqual([
    [-2, "user", "crumb-0"],
    [0, "events", "event-a"],
    [1, "logs", "log-1"],
    [3, "user", "crumb-1"],
    [4, "events", "event-b"],
  ]);
});

test("an event is shown by its own level", () => {
  const levels = ["fatal", "error", "warning", "info", "debug"] as const;
  const errors = levels.map((level, second) => ({ ...error(level, second), level }));
  const shown = traceMoments({ errors, events: [], logs: [] }, start).map(({ level, tone }) => [level, tone]);
  expect(shown).toEqual([
    ["fatal", "fatal"],
    ["error", "error"],
    ["warning", "warning"],
    ["info", "plain"],
    ["debug", "plain"],
  ]);
});

test("events are called errors only if all of them are", () => {
  const of = (...levels: EventSummary["level"][]) => levels.map((level) => ({ level }));
  expect(wordOf(of("error", "fatal"))).toBe("error");
  expect(wordOf(of("error", "info"))).toBe("event");
  expect(wordOf(of("warning"))).toBe("event");
  expect(wordOf(of("error"), true)).toBe("event");
  expect(wordOf([])).toBe("event");
});
