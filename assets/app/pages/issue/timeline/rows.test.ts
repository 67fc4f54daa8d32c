import { expect, test } from "vitest";
import type { LogEntry } from "../../../api/schema.d.ts";
import { event } from "../samples.ts";
import { rowsOf } from "./rows.ts";

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
    "event event",
    "moment log-5",
  ]);
  expect(rows[1]).toMatchObject({ lasted: 88_000 });
  expect(rows[2]).toMatchObject({ moment: { about: "info · shop.db", entry: 3 } });
});

test("an event without anything around it is the only row", () => {
  expect(rowsOf(event(), [])).toEqual([{ kind: "event", key: "event" }]);
});
