import { expect, test } from "vitest";
import type { LogEntry } from "../../../api/schema.d.ts";
import { event } from "../samples.ts";
import { playedRow, rowsOf } from "./rows.ts";

const at = (seconds: number) => new Date(Date.parse(event().timestamp) + seconds * 1_000).toISOString();
const log = (id: number, seconds: number) =>
  ({ id, timestamp: at(seconds), level: "info", logger_name: "shop.db", message: `entry ${id}` }) as LogEntry;
const crumb = (seconds: number) => ({
  timestamp: at(seconds),
  category: "ui.click",
  message: "button",
  level: null,
  type: null,
  data: null,
});

test("breadcrumbs and logs are one list around the event, and a long silence is a row", () => {
  const rows = rowsOf(event({ breadcrumbs: [crumb(-90), crumb(-1)] }), [log(3, -2), log(4, 0), log(5, 1)]);
  expect(rows.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    "moment crumb-0",
    "silence before log-3",
    "moment log-3",
    "moment crumb-1",
    "moment log-4",
    "event own-event",
    "moment log-5",
  ]);
  expect(rows[1]).toMatchObject({ lasted: 88_000 });
  expect(rows[2]).toMatchObject({ moment: { about: "info · shop.db", entry: 3 } });
});

test("log entries that are not loaded have a row where they will be, and no silence is said of them", () => {
  const crumbs = event({ breadcrumbs: [crumb(-250), crumb(-90), crumb(-1), crumb(2), crumb(90)] });
  const rows = rowsOf(crumbs, [log(3, -70), log(5, 1)], undefined, { before: 7, after: 4 });
  expect(rows.map(({ key }) => key)).toEqual([
    "crumb-0",
    "crumb-1",
    "more before",
    "log-3",
    "before crumb-2",
    "crumb-2",
    "own-event",
    "log-5",
    "more after",
    "crumb-3",
    "crumb-4",
  ]);
  expect(rows.flatMap((row) => (row.kind === "more" ? `${row.side} ${row.count}` : []))).toEqual([
    "before 7",
    "after 4",
  ]);
});

test("where none is loaded, they are at the ends", () => {
  const rows = rowsOf(event({ breadcrumbs: [crumb(-1)] }), [], undefined, { before: 1, after: 1 });
  expect(rows.map(({ key }) => key)).toEqual(["more before", "crumb-0", "own-event", "more after"]);
});

test("an event that nothing is known around is alone", () => {
  expect(rowsOf(event(), [])).toEqual([{ kind: "event", key: "own-event" }]);
});

test("a player is at the last row before its moment, and at none before all of them", () => {
  const rows = rowsOf(event({ breadcrumbs: [crumb(-90), crumb(-1)] }), [log(3, -2), log(5, 1)]);
  const keys = [-91_000, -90_000, -1_500, -1, 0, 999, 1_000, 3_600_000].map((time) => playedRow(rows, time)?.key);
  expect(keys).toEqual([undefined, "crumb-0", "log-3", "crumb-1", "own-event", "own-event", "log-5", "log-5"]);
});
