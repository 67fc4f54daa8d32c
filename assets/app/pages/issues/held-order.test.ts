import { expect, test } from "vitest";
import { fill, movedRows } from "./held-order.ts";

test("empty places are filled, but never with a row shown elsewhere", () => {
  expect(fill([3, 2, undefined, undefined], [1, 3, 2, 9])).toEqual([3, 2, undefined, 9]);
});

test("new rows are counted, a changed order is reported, an equal one is not", () => {
  expect(movedRows([3, 2, 1], [5, 4, 3])).toBe(2);
  expect(movedRows([3, 2, 1], [2, 3, 1])).toBe(1);
  expect(movedRows([3, 2, undefined], [3, 2, undefined])).toBe(0);
  expect(movedRows([3, 2, undefined], [3, undefined, undefined])).toBe(0);
});
