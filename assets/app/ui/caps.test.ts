import { expect, test } from "vitest";
import { capFaults, capsOf, capValues } from "./caps.ts";

test("a cap that is empty is none", () => {
  const caps = { cost_usd: 2.5, tokens: null, files: 20 };
  expect(capsOf(capValues(caps))).toEqual(caps);
  expect(capValues({ cost_usd: null, tokens: null, files: null })).toEqual({ costUsd: "", tokens: "", files: "" });
});

test("a cap that cannot be one is refused", () => {
  expect(capFaults.tokens("")).toBeUndefined();
  expect(capFaults.tokens(5_000)).toBeUndefined();
  expect(capFaults.tokens(10)).toContain("1,000");
  expect(capFaults.costUsd(0)).toContain("over 0");
});
