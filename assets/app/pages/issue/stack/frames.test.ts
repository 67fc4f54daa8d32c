import { expect, test } from "vitest";
import type { Unresolved } from "../../../api/schema.d.ts";
import { exception, frame, resolved } from "../samples.ts";
import {
  chain,
  functionOf,
  heldIn,
  hereWords,
  lineOf,
  linkWords,
  openAtFirst,
  placeOf,
  resolution,
  rows,
  shown,
  unresolvedOf,
} from "./frames.ts";

const library = (name: string, line: number) => resolved(`../node_modules/${name}/index.js`, line, { in_app: false });

test("library frames that follow one another are one row, named after their packages", () => {
  const frames = [
    resolved("src/a.ts", 1),
    library("react-dom", 1),
    library("react-dom", 2),
    library("scheduler", 3),
    resolved("src/b.ts", 2),
  ];
  expect(rows(frames, "original")).toEqual([
    { kind: "frame", index: 0, times: 1 },
    { kind: "library", indexes: [1, 2, 3], words: "3 frames of react-dom and scheduler" },
    { kind: "frame", index: 4, times: 1 },
  ]);
});

test("a single library frame is not folded, nor is the thrown one", () => {
  expect(
    rows([resolved("a.ts", 1), library("immer", 1), resolved("b.ts", 2)], "original").map((row) => row.kind),
  ).toEqual(["frame", "frame", "frame"]);
  expect(rows([library("a", 1), library("b", 2), library("b", 3)], "original")).toEqual([
    { kind: "frame", index: 0, times: 1 },
    { kind: "library", indexes: [1, 2], words: "2 frames of b" },
  ]);
});

test("three or more calls of the same place are folded", () => {
  const deep = [...Array.from({ length: 200 }, () => frame()), frame({ line: 2 }), frame({ line: 2 })];
  expect(rows(deep, "original")).toEqual([
    { kind: "frame", index: 0, times: 200 },
    { kind: "frame", index: 200, times: 1 },
    { kind: "frame", index: 201, times: 1 },
  ]);
});

test("folded calls keep what the variables of each held, by the number of the call", () => {
  const deep = [frame({ vars: { n: 0 } }), frame(), frame({ vars: { n: 2 } }), frame({ line: 2, vars: { n: 3 } })];
  expect(rows(deep, "original")[0]).toEqual({ kind: "frame", index: 0, times: 3 });
  expect(heldIn(deep, 0, 3)).toEqual([
    { call: 1, vars: { n: 0 } },
    { call: 3, vars: { n: 2 } },
  ]);
  expect(heldIn(deep, 3, 1)).toEqual([{ call: 1, vars: { n: 3 } }]);
  expect(heldIn(deep, 1, 1)).toEqual([]);
});

test("an own frame without a map is open rather than a library's with source", () => {
  const unresolved = { rule: "url", detail: "no map", looked_for: null, nearest: [], command: null } as const;
  const open = frame({ unresolved: { ...unresolved, nearest: [] } });
  expect([...openAtFirst([library("x", 1), open])]).toEqual([1]);
  expect([...openAtFirst([open, library("x", 1), resolved("src/a.ts", 1)])]).toEqual([0]);
});

test("the nearest own frame with source is open, and no other", () => {
  const own = [1, 2, 3, 4].map((line) => resolved("src/a.ts", line));
  expect([...openAtFirst(own)]).toEqual([0]);
  expect([...openAtFirst([library("x", 1), library("x", 2), ...own])]).toEqual([2]);
  // Without source it has nothing to show.
  expect([...openAtFirst([frame(), library("x", 1), ...own])]).toEqual([2]);
  // Without in-app frames, a library frame is most informative.
  expect([...openAtFirst([frame(), library("x", 1), frame({ line: 2 })])]).toEqual([1]);
});

test("only the line that threw is said to have thrown", () => {
  expect([hereWords(true), hereWords(false)]).toEqual(["Thrown here", "Called here"]);
});

test("the line of a frame is one short row, around its column", () => {
  const source = (line: string, at?: number) => ({ start: 1, lines: ["a", line], thrown: 1, at, skipped: 0 });
  expect(lineOf(source("    return total(cart);  "))).toBe("return total(cart);");
  expect(lineOf(source(`${"a".repeat(150)}b${"c".repeat(300)}`, 150))).toMatch(/^a{150}bc{49}…$/);
  expect(lineOf(source(`${"a".repeat(900)}b${"c".repeat(300)}`, 900))).toMatch(/^…a{40}bc{159}…$/);
  expect(lineOf(source(""))).toBe("");
});

test("without any source the first frame with a reason is open", () => {
  const unresolved = { rule: "url", detail: "no map", looked_for: null, nearest: [], command: null } as const;
  expect([...openAtFirst([frame(), frame({ line: 2, unresolved: { ...unresolved, nearest: [] } })])]).toEqual([1]);
  expect(openAtFirst([frame()]).size).toBe(0);
  expect(openAtFirst([]).size).toBe(0);
});

test("a column counts from the start of the whole line", () => {
  const part = resolved("a.ts", 7);
  const cut = { ...part, resolved: { ...part.resolved!, column: 1_003, context_start: 1_000 } };
  expect(shown(cut, "original").source).toMatchObject({ at: 2, skipped: 1_000, start: 6, thrown: 1 });
  expect(shown({ ...cut, resolved: { ...cut.resolved, column: 9_999 } }, "original").source?.at).toBeUndefined();
});

test("the minified form shows what was sent", () => {
  const both = resolved("src/a.ts", 7);
  expect(placeOf(shown(both, "original"))).toBe("src/a.ts:7:3");
  expect(placeOf(shown(both, "minified"))).toBe("https://shop.example/a.js:1:7");
  expect(placeOf(shown(frame({ url: null, line: null, column: null }), "original"))).toBe("unknown file");
});

test("only a script without a function is at the top level", () => {
  const named = (sent: object) => functionOf(shown(frame({ function: null, ...sent }), "original"));
  expect(named({ url: "https://shop.example/a.js" })).toBe("top level");
  expect(named({ url: "https://shop.example/" })).toBe("top level");
  expect(named({ url: "/app/index.php" })).toBe("unknown function");
  expect(named({ url: null, line: null, column: null })).toBe("unknown function");
  expect(named({ url: "/app/index.php", function: "{main}" })).toBe("{main}");
});

test("windows line breaks are not part of a line", () => {
  const sent = frame({ line: null, context_line: "boom()\r", pre_context: ["a\r"] });
  expect(shown(sent, "original").source).toMatchObject({ lines: ["a", "boom()"], start: undefined });
});

test("the root cause comes first, then what it led to", () => {
  const root = exception({ type: "Root" });
  const found = chain(exception({ type: "Outer", cause: exception({ type: "Middle", cause: root }) }));
  expect(found.map(({ type }) => type)).toEqual(["Root", "Middle", "Outer"]);
  expect(found.map((_, at) => linkWords(at, found))).toEqual(["Caused by", "Which led to", "Which led to"]);
  expect(linkWords(0, [root])).toBeUndefined();
});

test("the members of an aggregate come before it, side by side", () => {
  const [a, b] = [exception({ type: "A" }), exception({ type: "B" })];
  const several = exception({ type: "AggregateError", cause: a, causes: [a, b] });
  const found = chain(exception({ type: "Outer", cause: several }));
  expect(found.map(({ type }) => type)).toEqual(["A", "B", "AggregateError", "Outer"]);
  expect(found.map((_, at) => linkWords(at, found))).toEqual([
    "Error 1 of 2",
    "Error 2 of 2",
    "Which together led to",
    "Which led to",
  ]);
  const alone = chain(exception({ type: "AggregateError", cause: a, causes: [a] }));
  expect(alone.map((_, at) => linkWords(at, alone))).toEqual(["Caused by", "Which led to"]);
});

test("causes are followed, but not for ever", () => {
  const loop = exception();
  loop.cause = loop;
  expect(chain(loop)).toHaveLength(50);
  expect(chain(null)).toEqual([]);
});

test("unresolved frames are counted over all causes", () => {
  const open = frame({ unresolved: { rule: "url", detail: "", looked_for: null, nearest: [], command: null } });
  const found = resolution([
    exception({ frames: [open, resolved("a.ts", 1), frame()] }),
    exception({ frames: [open] }),
  ]);
  expect([found.mappable, found.open.length]).toEqual([3, 2]);
});

test("a frame sent with its source counts as resolved, unless its line is minified", () => {
  const unresolved = { rule: "url", hint: "…" } as unknown as Unresolved;
  const told = frame({ unresolved, context_line: "throw new Error(message);" });
  expect(unresolvedOf(told)).toBeUndefined();
  expect(unresolvedOf(frame({ unresolved }))).toBe(unresolved);
  expect(unresolvedOf(frame({ unresolved, context_line: "!function(e){".repeat(40) }))).toBe(unresolved);
  expect(resolution([exception({ frames: [told, resolved("src/a.ts", 3)] })])).toEqual({ mappable: 1, open: [] });
});
