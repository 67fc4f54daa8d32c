import { expect, test } from "vitest";
import { nextToRead } from "./steps.ts";

test("the next and previous notifications are opened, up to the ends", () => {
  expect(nextToRead([7, 6, 5], 1, 1, true)).toBe(5);
  expect(nextToRead([7, 6, 5], 1, -1, true)).toBe(7);
  expect(nextToRead([7, 6, 5], 2, 1, true)).toBe(5);
  expect(nextToRead([7, 6, 5], 0, -1, true)).toBe(7);
});

test("it begins at the top, or at the end", () => {
  expect(nextToRead([7, 6], undefined, 1, true)).toBe(7);
  expect(nextToRead([7, 6], undefined, -1, true)).toBe(6);
  expect(nextToRead([], undefined, 1, true)).toBeUndefined();
});

test("if the opened one has left the list, none is skipped", () => {
  expect(nextToRead([7, 5], 1, 1, false)).toBe(5);
  expect(nextToRead([7, 5], 1, -1, false)).toBe(7);
});
