import { expect, test } from "vitest";
import { capFaults, capsOf, capValues } from "./caps.ts";

test("an empty cap means no cap", () => {
  const caps = { cost_usd: 2.5, tokens: null, output_bytes: 12_500_000, files: 20 };
  expect(capsOf(capValues(caps))).toEqual(caps);
  const none = { cost_usd: null, tokens: null, output_bytes: null, files: null };
  expect(capValues(none)).toEqual({ costUsd: "", tokens: "", outputMb: "", files: "" });
  expect(capValues(caps).outputMb).toBe(12.5);
});

test("an invalid cap is refused", () => {
  expect(capFaults.tokens("")).toBeUndefined();
  expect(capFaults.tokens(5_000)).toBeUndefined();
  expect(capFaults.tokens(10)).toContain("1,000");
  expect(capFaults.costUsd(0)).toContain("over 0");
});
