import { expect, test } from "vitest";
import { sectionsOf } from "./names.ts";

test("of many organizations none says how people sign in", () => {
  expect(sectionsOf(true)).not.toContain("sign-in");
  expect(sectionsOf(false)).toContain("sign-in");
  expect(sectionsOf(undefined)).toEqual(sectionsOf(false));
});
