import { expect, test } from "vitest";
import { Chosen } from "./chosen.ts";

test("the time that was chosen is that of the player until it moves, even outside of the replay", () => {
  const chosen = new Chosen();
  expect(chosen.at(60_000)).toBeUndefined();
  chosen.choose(75_000, 60_000);
  expect([chosen.at(60_000), chosen.at(60_000)]).toEqual([75_000, 75_000]);
  expect([chosen.at(40_000), chosen.at(60_000)]).toEqual([undefined, undefined]);
  chosen.choose(-5_000, 0);
  expect(chosen.at(0)).toBe(-5_000);
});
