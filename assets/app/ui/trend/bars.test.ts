import { expect, test } from "vitest";
import { bars } from "./bars.ts";

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
