import { expect, test } from "vitest";
import { isKept, refusal } from "./takes.ts";

const needs = { agent_type: "codex", labels: ["gpu"], is_public: true, caps: { tokens: 1000 } };
const runner = { name: "one", agents: [], labels: ["gpu", "linux"], refuses_public: false, uncounted: [] };

test("a runner takes what it has all for", () => {
  expect(refusal(runner, needs)).toBeUndefined();
  expect(refusal({ ...runner, agents: ["codex"], uncounted: ["cost_usd"] }, needs)).toBeUndefined();
  const plain = { ...needs, is_public: false, caps: {} };
  expect(refusal({ ...runner, refuses_public: true, uncounted: ["tokens"] }, plain)).toBeUndefined();
});

test("a runner that does not take a session is told from the others by the reason", () => {
  expect(refusal({ ...runner, agents: ["aider"] }, needs)).toBe("does not have the agent codex");
  expect(refusal({ ...runner, labels: [] }, needs)).toBe("does not have the label gpu");
  expect(refusal({ ...runner, refuses_public: true }, needs)).toContain("cannot shut in");
  expect(refusal({ ...runner, uncounted: ["tokens"] }, needs)).toContain("cannot count");
});

test("only its own runner takes what that keeps", () => {
  expect(isKept({ is_releasing: true })).toBe(true);
  expect(isKept({ is_resuming: true, held_commit: "0123" })).toBe(true);
  // It goes on, and nothing was kept.
  expect(isKept({ is_resuming: true, held_commit: null })).toBe(false);
  expect(isKept({ held_commit: "0123" })).toBe(false);
});
