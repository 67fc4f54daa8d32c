import { expect, test } from "vitest";
import { heldBack } from "./held-rows.ts";

test("new notifications wait", () => {
  expect(heldBack([5, 4, 3], [7, 6, 5, 4, 3])).toEqual([7, 6]);
});

test("notifications that move up wait as well", () => {
  expect(heldBack([5, 3], [5, 4, 3])).toEqual([4]);
});

test("older notifications below the last row do not wait", () => {
  expect(heldBack([5, 4], [5, 3, 2])).toEqual([]);
  expect(heldBack([5, 4], [4, 3])).toEqual([]);
});

test("nothing waits in a list that was not shown yet", () => {
  expect(heldBack([], [2, 1])).toEqual([]);
});
