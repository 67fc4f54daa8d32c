import { beforeEach, expect, test } from "vitest";
import { Sight } from "./sight.ts";

const box = { top: 100, bottom: 500 };
const row = (top: number) => ({ top, bottom: top + 40 });
let sight: Sight;

beforeEach(() => {
  sight = new Sight();
});

test("a row out of sight is brought into the middle, and one in sight stays where it is", () => {
  expect([100, 300, 460].map((top) => sight.away(row(top), box))).toEqual([0, 0, 0]);
  expect(sight.away(row(480), box)).toBe(200);
  expect(sight.away(row(60), box)).toBe(-220);
});

test("whoever has scrolled the list elsewhere is not moved away", () => {
  sight.brought(200);
  sight.scrolled(200, row(900), box);
  expect(sight.away(row(900), box), "that was the page itself").not.toBe(0);
  sight.scrolled(700, row(-100), box);
  expect(sight.away(row(-60), box)).toBe(0);
});

test("the list goes along again once the current row is in sight, or a row was chosen", () => {
  sight.scrolled(700, row(-100), box);
  sight.scrolled(500, row(120), box);
  expect(sight.away(row(480), box)).not.toBe(0);
  sight.scrolled(900, undefined, box);
  expect(sight.away(row(480), box)).toBe(0);
  sight.release();
  expect(sight.away(row(480), box)).not.toBe(0);
});
