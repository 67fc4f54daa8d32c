import { expect, test } from "vitest";
import { change, isTooNew, rate } from "./compared.ts";

test("a rate has no more digits than it means", () => {
  expect([0, 0.0412, 0.5, 3, 12.345, 123.4, 1234.5].map(rate)).toEqual([
    "0",
    "0.0412",
    "0.5",
    "3",
    "12.3",
    "123",
    "1,235",
  ]);
});

test("a change is a percentage, or a multiple from two times on", () => {
  const words = (one: number | null, other: number | null) => change(one, other)?.words;
  expect(words(5, 2)).toBe("2.5 times");
  expect(words(3, 2)).toBe("+50%");
  expect(words(1, 2)).toBe("−50%");
  expect(words(0, 2)).toBe("−100%");
  expect(words(100.2, 100)).toBe("about the same");
  expect(words(1, 0)).toBe("from none");
  expect(words(0, 0)).toBeUndefined();
  expect(words(null, 2)).toBeUndefined();
  expect(change(1.09, 1)?.isWorse).toBe(false);
  expect(change(1.1, 1)?.isWorse).toBe(true);
  expect(change(1, 2)?.isWorse).toBe(false);
});

test("a release that came out after the time that is compared has no rate there", () => {
  const to = "2026-11-21T12:00:00Z";
  expect(isTooNew({ out_at: "2026-11-21T11:59:59Z", to })).toBe(false);
  expect(isTooNew({ out_at: "2026-11-21T12:00:00.000Z", to })).toBe(true);
  expect(isTooNew({ out_at: "2026-11-22T00:00:00Z", to })).toBe(true);
  expect(isTooNew({ out_at: null, to })).toBe(false);
  expect(isTooNew({ out_at: "2026-11-22T00:00:00Z", to: null })).toBe(false);
});
