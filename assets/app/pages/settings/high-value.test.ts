import { expect, test } from "vitest";
import { accounts, choice, patternProblem, problem, tagProblem } from "./high-value.ts";

test("a tag is one text in the form and two for the server", () => {
  const stored = { ids: ["7"], patterns: [], tags: [{ key: "plan", value: "a=b" }], busiest: false };
  expect(choice(stored).tags).toEqual(["plan=a=b"]);
  expect(accounts(choice(stored))).toEqual(stored);
  expect(accounts({ ...choice(undefined), tags: [" plan = enterprise "] }).tags).toEqual([
    { key: "plan", value: "enterprise" },
  ]);
  expect(choice(undefined).busiest).toBe(true);
});

test("values that the server would refuse are reported in the form", () => {
  expect(problem(["a"], 1)).toBeUndefined();
  expect(problem(["a", "b"], 1)).toContain("at most 1");
  expect(problem(["x".repeat(201)], 1)).toContain("200 characters");
  expect(patternProblem(["acme*"], 5)).toBeUndefined();
  expect(patternProblem(["* *"], 5)).toContain("every account");
  expect(tagProblem(["plan=enterprise", "a=b=c"], 5)).toBeUndefined();
  for (const tag of ["plan", "=x", "plan=", "plan= "]) expect(tagProblem([tag], 5), tag).toContain(tag);
});
