import { expect, test } from "vitest";
import { leftOut } from "./left-out.ts";

test("a list that shows everything says nothing", () => {
  expect(leftOut({ total: 50, has_more: false, is_complete: true }, 50, "values")).toBeUndefined();
});

test("a list says how many it shows, of how many", () => {
  const list = { total: 1_234, has_more: true, is_complete: true };
  expect(leftOut(list, 50, "values")).toBe("Only the 50 most frequent of 1,234 values.");
});

test("a list says that not everything was counted", () => {
  const uncounted = "Too many fields to count them all: some are missing, or their counts are too low.";
  expect(leftOut({ total: 7, has_more: false, is_complete: false }, 7, "fields")).toBe(uncounted);
  const list = { total: 120_000, has_more: true, is_complete: false };
  expect(leftOut(list, 1_000, "fields")).toBe(`Only the 1,000 most frequent of at least 120,000 fields. ${uncounted}`);
});
