import { expect, test } from "vitest";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { currentOf, lanesOf, type Moment, momentsOf, nextOf, placeWords, spanOf, wholeSpan } from "./moments.ts";

const time = (seconds: number) => new Date(1e12 + seconds * 1_000).toISOString();
const crumb = (seconds: number | null, more: object) => ({
  timestamp: seconds === null ? null : time(seconds),
  category: null,
  message: null,
  level: null,
  type: null,
  data: null,
  ...more,
});
const event = {
  timestamp: time(0),
  url: null,
  breadcrumbs: [
    crumb(-10, { category: "ui.click", message: "button" }),
    crumb(null, { message: "no time" }),
    crumb(-2, { category: "fetch", data: { method: "GET", url: "/a", status_code: 500, duration: 800 } }),
  ],
} as unknown as Event;
const log = (id: number, seconds: number, level: string) =>
  ({ id, timestamp: time(seconds), level, message: `entry ${id}` }) as LogEntry;
const moments = momentsOf(event, [log(7, 3, "warn"), log(8, -5, "info")]);

test("breadcrumbs and log entries lie on one axis, each with its row", () => {
  expect(moments.map(({ at, lane, id, tone }) => [at / 1_000, lane, id, tone])).toEqual([
    [-10, "user", "crumb-0", "plain"],
    [-5, "logs", "log-8", "plain"],
    [-2, "network", "crumb-2", "error"],
    [3, "logs", "log-7", "warning"],
  ]);
  expect(lanesOf(moments)).toEqual(["user", "network", "logs"]);
});

test("a fatal entry is graver than an error, whatever its sender calls the level", () => {
  const found = momentsOf({ ...event, breadcrumbs: [crumb(-1, { level: "Critical" })] } as Event, [
    log(1, 1, "fatal"),
    log(2, 2, "error"),
    log(3, 3, "constructor"),
  ]);
  expect(found.map(({ tone }) => tone)).toEqual(["fatal", "fatal", "error", "plain"]);
  expect(placeWords(found[1] as Moment)).toBe("Logs, fatal");
});

test("words say how grave a moment is, not its colour alone", () => {
  expect(moments.map(({ about }) => about)).toEqual(["ui.click", "info", "failed · fetch", "warn"]);
  const grave = momentsOf(
    { ...event, breadcrumbs: [crumb(-1, { category: "console", level: "Warning", message: "old" })] } as Event,
    [],
  );
  expect(grave.map(({ about, words }) => [about, words])).toEqual([["warning · console", "old"]]);
  expect(moments.map(placeWords)).toEqual(["User", "Logs", "Network, error", "Logs, warning"]);
});

test("a request lies on the axis for as long as it took", () => {
  expect(moments.map(({ lasted }) => lasted)).toEqual([undefined, undefined, 800, undefined]);
});

test("the axis shows all of them, with the error never at its edge, and at most five minutes on each side", () => {
  const { from, to } = spanOf(moments);
  expect([from < -10_000, from > -11_000, to > 3_000, to < 4_000]).toEqual([true, true, true, true]);
  const far = momentsOf(event, [log(1, -3_600, "info")]);
  expect(spanOf(far).from).toBeGreaterThan(-11_000);
  const alone = spanOf([]);
  expect([alone.from < 0, alone.to > 0]).toEqual([true, true]);
});

test("the axis of a trace shows all of it, and at least a second", () => {
  const { from, to } = wholeSpan(momentsOf(event, [log(1, 3_600, "info")]));
  expect([from < -10_000, to > 3_600_000]).toEqual([true, true]);
  const alone = wholeSpan([]);
  expect(alone.to - alone.from).toBeGreaterThan(1_000);
});

test("at a time stands the last before it, and one moves from one to the next", () => {
  expect(currentOf(moments, -4_000)?.id).toBe("log-8");
  expect(currentOf(moments, -60_000)?.id).toBe("crumb-0");
  expect(currentOf([], 0)).toBeUndefined();
  expect(nextOf(moments, 0, 1)?.id).toBe("log-7");
  expect(nextOf(moments, 0, -1)?.id).toBe("crumb-2");
  expect(nextOf(moments, 3_000, 1)).toBeUndefined();
});
