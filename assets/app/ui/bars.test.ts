import { expect, test } from "vitest";
import { barHeight, peakOf } from "./bars.ts";

test("the highest count reaches the top, and nothing exceeds it", () => {
  expect(barHeight(80, 80, 24)).toBe(24);
  expect(barHeight(79, 80, 24)).toBeLessThan(24);
});

test("small counts stay visible beside large ones", () => {
  const [one, ten, hundred] = [1, 10, 100].map((count) => barHeight(count, 1_234_567, 24)) as [number, number, number];
  expect(ten).toBeGreaterThan(1.5 * one);
  expect(hundred).toBeGreaterThan(1.5 * ten);
});

test("a count above zero always has a visible bar", () => {
  expect(barHeight(1, Number.MAX_SAFE_INTEGER, 24)).toBeGreaterThan(barHeight(0, Number.MAX_SAFE_INTEGER, 24));
});

test("the peak of an empty list is zero", () => {
  expect([peakOf([]), peakOf([0, 3, 2])]).toEqual([0, 3]);
});
