import { expect, test } from "vitest";
import { cutLine, pieces, shownMax, wordAt } from "./pieces.ts";

const joined = (found: { text: string; marked: boolean }[]) =>
  found.map(({ text, marked }) => (marked ? `<${text}>` : text)).join("|");

test("the word at the column is marked, across the colours", () => {
  const tokens = [
    { length: 6, kind: "keyword" },
    { length: 1, kind: undefined },
    { length: 5, kind: "function" },
  ];
  expect(joined(pieces("throw total", tokens, 6))).toBe("throw |<t>|<otal>");
  expect(joined(pieces("a.b", undefined, 1))).toBe("a|<.>|b");
  expect(joined(pieces("abc", undefined, undefined))).toBe("abc");
});

test("no part of a line is lost or repeated, whatever the tokens", () => {
  for (const tokens of [[], [{ length: 99, kind: "x" }], [{ length: 2, kind: "x" }]]) {
    for (const at of [undefined, 0, 4, 11])
      expect(
        pieces("throw total", tokens, at)
          .map(({ text }) => text)
          .join(""),
      ).toBe("throw total");
  }
});

test("a character outside of the basic plane is marked whole", () => {
  expect(wordAt("a 👩 b", 2)).toEqual([2, 4]);
});

test("a long line is cut around the column, with the numbers of omitted characters", () => {
  const line = `${"a".repeat(60_000)}HERE${"b".repeat(40_000)}`;
  const cut = cutLine(line, 60_000);
  expect(cut.text).toHaveLength(shownMax);
  expect(cut.text.slice(60_000 - cut.from).startsWith("HERE")).toBe(true);
  expect(cut.from + cut.text.length + cut.after).toBe(line.length);
  expect(cutLine(line, undefined).from).toBe(0);
  expect(cutLine("short", 2)).toEqual({ text: "short", from: 0, after: 0 });
});

test("surrogate pairs are never split", () => {
  const cut = cutLine("👩".repeat(2_000), 1_301);
  expect(() => encodeURIComponent(cut.text)).not.toThrow();
});
