import { expect, test } from "vitest";
import { secondsBefore } from "./moment.ts";

test("one begins to watch ten seconds before the error, or at the beginning", () => {
  expect(secondsBefore(60_500, 0)).toBe(50);
  expect(secondsBefore(10_000, 0)).toBeUndefined();
  expect(secondsBefore(1_000, 5_000)).toBeUndefined();
});
