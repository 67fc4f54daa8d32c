import { expect, test } from "vitest";
import { timesFromStart } from "./times.ts";

const minute = 60_000;
const run = (...times: number[]) => {
  const timeOf = timesFromStart();
  return times.map((time) => timeOf(1e12 + time * minute)).map((at) => at && at / minute);
};

test("times count from the first, and small steps back stay", () => {
  expect(run(0, 1, 30, 29.5, 60)).toEqual([0, 1, 30, 29.5, 60]);
});

test("a clock that jumps by hours neither creates a pause nor removes time", () => {
  expect(run(0, 1, 600, 601, 605)).toEqual([0, 1, 1, 2, 6]);
  expect(run(0, 10, -300, -299, -290)).toEqual([0, 10, 10, 11, 20]);
  // A first part from before the clock was right.
  expect(run(-1e6, -1e6 + 1, 0, 1)).toEqual([0, 1, 1, 2]);
  // Ahead by less than an hour, which is noticed at the end of the hour.
  expect(run(0, 50, 70, 71)).toEqual([0, 50, 50, 51]);
});

test("an idle time stays, and what continues beyond the hour is left out", () => {
  expect(run(0, 55, 56)).toEqual([0, 55, 56]);
  expect(run(0, 61, 62, 64, 66, 68)).toEqual([0, 0, 1, 3, 5, 7]);
  expect(run(0, 30, 60, 64, 66)).toEqual([0, 30, 60, 64, undefined]);
});
