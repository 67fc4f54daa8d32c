import { expect, test } from "vitest";
import { stepsBack } from "./use-list-address.ts";

test("the list is found behind the pages opened since", () => {
  expect(stepsBack(3, 4)).toBe(-1);
  expect(stepsBack(3, 6)).toBe(-3);
});

test("nobody is sent forward, or off the site", () => {
  expect(stepsBack(undefined, 4)).toBeUndefined();
  expect(stepsBack(3, 2)).toBeUndefined();
  expect(stepsBack(-1, 0)).toBeUndefined();
});
