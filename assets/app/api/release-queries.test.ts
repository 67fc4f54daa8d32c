import { expect, test } from "vitest";
import { nextOffset } from "./release-queries.ts";

test("the next page starts after what was got, until all of it was", () => {
  const rows = (count: number) => Array.from({ length: count });
  expect(nextOffset([{ rows: rows(50), total: 120 }])).toBe(50);
  expect(
    nextOffset([
      { rows: rows(50), total: 120 },
      { rows: rows(50), total: 121 },
    ]),
  ).toBe(100);
  expect(nextOffset([{ rows: rows(3), total: 3 }])).toBeUndefined();
  // Deleted meanwhile: an empty page is the end, whatever the total says.
  expect(
    nextOffset([
      { rows: rows(50), total: 120 },
      { rows: [], total: 120 },
    ]),
  ).toBeUndefined();
  expect(nextOffset([])).toBeUndefined();
});
