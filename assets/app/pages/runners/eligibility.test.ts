import { expect, test } from "vitest";
import { isKept, refusal } from "./eligibility.ts";

const needs = { agent_type: "codex", labels: ["gpu"], is_public: true, caps: { tokens: 1000 } };
const runner = { name: "one", agents: [], labels: ["gpu", "linux"], refuses_public: false, uncounted: [] };

test("a runner takes sessions whose needs it meets", () => {
  expect(refusal(runner, needs)).toBeUndefined();
  expect(refusal({ ...runner, agents: ["codex"], uncounted: ["cost_usd"] }, needs)).toBeUndefined();
  const plain = { ...needs, is_public: false, caps: {} };
  expect(refusal({ ...runner, refuses_public: true, uncounted: ["tokens"] }, plain)).toBeUndefined();
});

test("a refusal has its reason", () => {
  expect(refusal({ ...runner, agents: ["aider"] }, needs)).toBe("does not have the agent codex");
  expect(refusal({ ...runner, labels: [] }, needs)).toBe("does not have the label gpu");
  expect(refusal({ ...runner, refuses_public: true }, needs)).toContain("cannot shut in");
  expect(refusal({ ...runner, uncounted: ["tokens"] }, needs)).toContain("cannot count");
});

test("only the runner that keeps the work takes the session", () => {
  expect(isKept({ is_releasing: true })).toBe(true);
  expect(isKept({ is_resuming: true, held_commit: "0123" })).toBe(true);
  // Continues, but nothing was kept.
  expect(isKept({ is_resuming: true, held_commit: null })).toBe(false);
  expect(isKept({ held_commit: "0123" })).toBe(false);
});
