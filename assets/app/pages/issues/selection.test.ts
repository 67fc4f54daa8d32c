import { expect, test } from "vitest";
import { followed, within } from "./selection.ts";

test("one row is chosen, or all between it and the last one", () => {
  const order = [5, 4, undefined, 2, 1];
  expect([...within(new Set(), order, 4, true)]).toEqual([4]);
  expect([...within(new Set([5]), order, 2, true, 5)].sort()).toEqual([2, 4, 5]);
  expect([...within(new Set([5, 4, 2]), order, 5, false, 4)]).toEqual([2]);
  // The last selected row has left the list.
  expect([...within(new Set(), order, 1, true, 99)]).toEqual([1]);
});

test("the cursor follows its issue", () => {
  const cursor = { id: 4, place: 1 };
  expect(followed(cursor, [5, 4, 3])).toBe(cursor);
  expect(followed(cursor, [4, 5, 3])).toEqual({ id: 4, place: 0 });
});

test("if its issue has left the list, the cursor moves to the one in its place", () => {
  expect(followed({ id: 4, place: 1 }, [5, 3, 2])).toEqual({ id: 3, place: 1 });
  expect(followed({ id: 4, place: 2 }, [5])).toEqual({ id: 5, place: 0 });
  expect(followed({ id: 4, place: 1 }, [])).toBeUndefined();
  // Its page is being loaded.
  expect(followed({ id: 4, place: 1 }, [5, undefined])).toEqual({ id: 4, place: 1 });
});
