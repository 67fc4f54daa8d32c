import { expect, test } from "vitest";
import type { SessionMessage } from "../../api/schema.d.ts";
import { empty, markWords, totalWords, withEntries } from "./timeline.ts";

let id = 0;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
const none = { took_ms: null, status: null, bytes_out: null, bytes_back: null, tokens: null, cost_usd: null };
const entry = (second: number, more: Partial<SessionMessage>) =>
  ({
    id: ++id,
    role: "system",
    stream: null,
    kind: null,
    figures: null,
    content: "",
    created_by: null,
    created_at: at(second),
    delivered_at: null,
    ...more,
  }) as SessionMessage;

test("each kind has its lane, and a call is as long as it took", () => {
  const { marks, totals } = withEntries(empty, [
    entry(0, { role: "user", content: "Mend it" }),
    entry(9, { kind: "model", figures: { ...none, took_ms: 4_000, status: 200, tokens: 150, cost_usd: 0.25 } }),
    entry(10, { kind: "model", figures: { ...none, took_ms: 10, status: 429 } }),
    entry(11, { kind: "network", content: "Network: refused example.com:443: it is no host." }),
    entry(12, { role: "tool", content: "ls" }),
    entry(13, { kind: "test", figures: { ...none, status: 1 } }),
    entry(14, { kind: "state", content: "Pushed." }),
  ]);
  expect(marks.map(({ lane, isBad }) => [lane, isBad])).toEqual([
    ["people", false],
    ["model", false],
    ["model", true],
    ["network", true],
    ["tool", false],
    ["test", true],
    ["state", false],
  ]);
  expect(marks[1]?.to).toBe(Date.parse(at(9)));
  expect(marks[1]?.from).toBe(Date.parse(at(5)));
  expect(totals.cost).toBe(0.25);
  expect(totalWords(totals)).toEqual(["2 model calls", "1 tool call", "1 refused connection"]);
});

test("calls of tools and what they returned are not told apart", () => {
  const { totals } = withEntries(empty, [entry(0, { role: "tool", content: "ls" }), entry(1, { role: "tool" })]);
  expect(totalWords(totals)).toEqual(["2 tool calls and results"]);
});

test("a mark says in words that it failed", () => {
  const { marks } = withEntries(empty, [
    entry(0, { kind: "test", content: "npm\ntest", figures: { ...none, status: 1 } }),
    entry(1, { kind: "network", content: "Network: refused a.example:443: it is no host." }),
    entry(2, { role: "tool", content: "ls" }),
  ]);
  const words = marks.map((mark) => markWords(mark, 80).replace(/, \d\d:\d\d/, ""));
  expect(words).toEqual([
    "Tests, failed: npm test",
    "Network, refused: Network: refused a.example:443: it is no host.",
    "Tools: ls",
  ]);
});

test("a summary of refusals is marked as bad and is not counted as one", () => {
  const { marks, totals } = withEntries(empty, [
    entry(0, { kind: "network", content: "Network: refused a.example:443: it is no host." }),
    entry(1, { kind: "network", content: "Network: 1 try was refused in all: a.example:443." }),
    entry(2, { kind: "network", content: "Network: opened b.example:443." }),
  ]);
  expect(marks.map(({ isBad }) => isBad)).toEqual([true, true, false]);
  expect(totals.refused).toBe(1);
});

test("output that goes on is one mark", () => {
  const first = withEntries(empty, [entry(0, { role: "agent" }), entry(0.5, { role: "agent" })]);
  const { marks } = withEntries(first, [entry(1, { role: "agent" }), entry(30, { role: "agent" })]);
  expect(marks.map(({ from, to }) => (to - from) / 1_000)).toEqual([1, 0]);
});
