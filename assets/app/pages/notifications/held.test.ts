import { expect, test } from "vitest";
import { heldBack } from "./held.ts";

test("what is new waits", () => {
  expect(heldBack([5, 4, 3], [7, 6, 5, 4, 3])).toEqual([7, 6]);
});

test("so does what comes back among the others", () => {
  expect(heldBack([5, 3], [5, 4, 3])).toEqual([4]);
});

test("what follows the last one moves nothing", () => {
  expect(heldBack([5, 4], [5, 3, 2])).toEqual([]);
  expect(heldBack([5, 4], [4, 3])).toEqual([]);
});

test("a list that nobody has seen yet has nothing to wait for", () => {
  expect(heldBack([], [2, 1])).toEqual([]);
});
