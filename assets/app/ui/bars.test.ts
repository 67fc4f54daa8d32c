import { expect, test } from "vitest";
import { barHeight, peakOf } from "./bars.ts";

test("the same count has the same bar in every chart with the same top, and the top is reached", () => {
  expect(barHeight(80, 80, 24)).toBe(24);
  expect(barHeight(20, 80, 24)).toBe(12);
});

test("few events beside very many are still seen, and seen to be more than none", () => {
  expect(barHeight(1, 1_234_567, 24)).toBe(2);
  expect(barHeight(0, 1_234_567, 24)).toBe(1);
});

test("the peak of nothing is nothing", () => {
  expect([peakOf([]), peakOf([0, 3, 2])]).toEqual([0, 3]);
});
