import { expect, test } from "vitest";
import { within } from "./selection.ts";

test("one row is chosen, or all between it and the last one", () => {
  const order = [5, 4, undefined, 2, 1];
  expect([...within(new Set(), order, 4, true)]).toEqual([4]);
  expect([...within(new Set([5]), order, 2, true, 5)].sort()).toEqual([2, 4, 5]);
  expect([...within(new Set([5, 4, 2]), order, 5, false, 4)]).toEqual([2]);
  // The row that was chosen last has gone from the list.
  expect([...within(new Set(), order, 1, true, 99)]).toEqual([1]);
});
