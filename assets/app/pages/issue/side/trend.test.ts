import { expect, test } from "vitest";
import { tagQuery } from "./filters.ts";
import { bars } from "./trend.ts";

const hour = 3_600_000;

test("an hour is a bar", () => {
  expect(bars(hour, [1, 2], "hour")).toEqual([
    { start: hour, end: 2 * hour, count: 1 },
    { start: 2 * hour, end: 3 * hour, count: 2 },
  ]);
});

test("days begin at midnight of the person's zone and lose no hour", () => {
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

test("a value leads to the issues that have it", () => {
  expect(tagQuery("browser", "Chrome")).toBe("tag.browser:Chrome");
  expect(tagQuery("feature", "new checkout")).toBe('tag.feature:"new checkout"');
  expect(tagQuery("environment", "production")).toBe("environment:production");
});

test("what the query language cannot say leads nowhere", () => {
  for (const [key, value] of [
    ["a b", "x"],
    ["a:b", "x"],
    ["a", 'x "y'],
    ["a", ""],
    ["", "x"],
  ] as const)
    expect(tagQuery(key, value)).toBeUndefined();
});
