import { expect, test } from "vitest";
import type { Crumb } from "../../../api/schema.d.ts";
import { event } from "../samples.ts";
import { changedWords } from "./changed.ts";
import { crumbData, crumbFits, distance, placeAmong } from "./crumbs.ts";

const crumb = (some: Partial<Crumb>): Crumb => ({
  category: null,
  data: null,
  level: null,
  message: null,
  timestamp: null,
  type: null,
  ...some,
});

test("times are relative to the error", () => {
  const error = "2026-11-21T10:00:00.000Z";
  const told = (ms: number) => distance(new Date(Date.parse(error) + ms).toISOString(), error);
  expect([0, -40, -3_240, -125_000, -7_380_000, 200].map(told)).toEqual([
    "0 ms",
    "−40 ms",
    "−3.2 s",
    "−2 min 5 s",
    "−2 h 3 min",
    "+200 ms",
  ]);
  expect(distance(null, error)).toBeUndefined();
  expect(distance("soon", error)).toBeUndefined();
});

test("a search covers every part of a breadcrumb", () => {
  const one = crumb({ category: "fetch", message: "GET /rates", data: { status: 500 } });
  expect(["FETCH", "rates", "500", " "].every((words) => crumbFits(one, words))).toBe(true);
  expect(crumbFits(one, "click")).toBe(false);
  expect(crumbFits(crumb({ category: "navigation", data: { from: "/a", to: "/b" } }), "/a → /b")).toBe(true);
});

test("empty data is not offered", () => {
  expect([null, undefined, {}, []].map((data) => crumbData(crumb({ data })))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(crumbData(crumb({ data: 7 }))).toEqual({ data: 7 });
});

test("an event stands before the breadcrumbs that are later", () => {
  expect(placeAmong([-20, -3, 0])).toBe(3);
  expect(placeAmong([-20, Number.NaN, 4, 9])).toBe(2);
  expect(placeAmong([Number.NaN])).toBe(1);
  expect(placeAmong([])).toBe(0);
});

test("differences from what was sent are described", () => {
  expect(changedWords(event())).toEqual([]);
  expect(
    changedWords(event({ scrubbed: 1, truncated: ["extra"], timestamp_replaced: true, sent_timestamp: "1999" })),
  ).toEqual([
    "1 secret was removed from this event.",
    "Shortened to the limit: extra.",
    "The time shown is when the event was received: the one sent (1999) could not be used.",
  ]);
});

test("what was left out is not called shortened", () => {
  const whole = ["extra.long", "contexts.app", "exception.cause.frames[2].vars.big", "breadcrumbs[1].data"];
  const left = [...whole, "breadcrumbs[0].data.big", "exception.cause.cause"];
  const cut = ["message", "tags.extra.long", "breadcrumbs[0].message", "breadcrumbs", "exception.cause.frames"];
  expect(changedWords(event({ truncated: [...left, ...cut] }))).toEqual([
    `Shortened to the limit: ${cut.join(", ")}.`,
    `Left out because of the limit: ${left.join(", ")}.`,
  ]);
});
