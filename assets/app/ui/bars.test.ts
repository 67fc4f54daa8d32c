import { expect, test } from "vitest";
import { barHeight, peakOf } from "./bars.ts";

test("the top of the scale is reached, and nothing is taller", () => {
  expect(barHeight(80, 80, 24)).toBe(24);
  expect(barHeight(79, 80, 24)).toBeLessThan(24);
});

test("few events beside very many keep their shape", () => {
  const [one, ten, hundred] = [1, 10, 100].map((count) => barHeight(count, 1_234_567, 24)) as [number, number, number];
  expect(ten).toBeGreaterThan(1.5 * one);
  expect(hundred).toBeGreaterThan(1.5 * ten);
});

test("something is never drawn as nothing", () => {
  expect(barHeight(1, Number.MAX_SAFE_INTEGER, 24)).toBeGreaterThan(barHeight(0, Number.MAX_SAFE_INTEGER, 24));
});

test("the peak of nothing is nothing", () => {
  expect([peakOf([]), peakOf([0, 3, 2])]).toEqual([0, 3]);
});
