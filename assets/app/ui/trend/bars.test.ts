import { expect, test } from "vitest";
import { bars, spanOf, totalWords } from "./bars.ts";

const hour = 3_600_000;

test("each hour has a bar", () => {
  expect(bars(hour, [1, 2], "hour")).toEqual([
    { start: hour, end: 2 * hour, count: 1 },
    { start: 2 * hour, end: 3 * hour, count: 2 },
  ]);
});

test("days begin at midnight in the person's zone, and no hour is lost", () => {
  const start = new Date(2026, 9, 20, 15).getTime();
  const days = bars(
    start,
    Array.from({ length: 720 }, () => 1),
    "day",
  );
  expect(days.reduce((sum, day) => sum + day.count, 0)).toBe(720);
  expect(days.length).toBe(31);
  for (const day of days.slice(1)) expect(new Date(day.start).getHours()).toBe(0);
  expect(days[0]?.count).toBe(9);
});

test("counts say of which period they are", () => {
  const of = (hours: number) => spanOf(Array.from({ length: hours }, () => 0));
  expect([24, 168, 720, 25].map(of)).toEqual(["24h", "7d", "30d", undefined]);
});

test("nothing is counted before there is an answer", () => {
  expect(totalWords([], "the last 7 days")).toBe("");
  expect(totalWords(bars(hour, [0, 0], "hour"), "the last 7 days")).toBe("0 events in the last 7 days");
  expect(totalWords(bars(hour, [1, 2], "hour"), "the last 7 days")).toBe("3 events in the last 7 days");
});
