import { expect, test } from "vitest";
import { newestFirst } from "./newest-first.ts";

test("the release that was seen first last is the newest, however often each was seen", () => {
  const value = (name: string, count: number, day: number) => ({
    value: name,
    alias: null,
    count,
    first_seen: `2026-11-${day}T00:00:00Z`,
    last_seen: "2026-11-27T00:00:00Z",
  });
  const values = [value("1.0.0", 900, 10), value("1.2.0", 3, 21), value("1.1.0", 40, 15)];
  const tag = { key: "release", total: 943, unique: 3, values };
  expect(newestFirst(tag).values.map((each) => each.value)).toEqual(["1.2.0", "1.1.0", "1.0.0"]);
  expect(tag.values).toBe(values);
});
