import { expect, test } from "vitest";
import { platforms, problemsOf } from "./platforms.ts";

test("a name is required and bounded, a platform is bounded", () => {
  expect(problemsOf("Shop", "")).toEqual({});
  expect(problemsOf("ö".repeat(128), "p".repeat(64))).toEqual({});
  expect(Object.keys(problemsOf(" \t", "p".repeat(65)))).toEqual(["name", "platform"]);
  expect(problemsOf("🔥".repeat(129), "").name).toContain("this has 129");
});

test("every platform that is offered is taken", () => {
  for (const { value } of platforms) expect(problemsOf("Shop", value)).toEqual({});
});
