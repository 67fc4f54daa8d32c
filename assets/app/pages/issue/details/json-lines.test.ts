import { expect, test } from "vitest";
import { parseExact } from "../../../api/exact-json.ts";
import { jsonLines, shownLines } from "./json-lines.ts";

const value = { id: 7, user: { name: 'A "B"', tags: [true, null], none: {} }, list: [], last: "x" };
const textOf = (line: ReturnType<typeof jsonLines>[number]) =>
  "  ".repeat(line.depth) + line.parts.map(({ text }) => text).join("");

test("its lines are those of JSON.stringify", () => {
  expect(jsonLines(value).map(textOf).join("\n")).toBe(JSON.stringify(value, undefined, 2));
  expect(jsonLines("plain").map(textOf)).toEqual(['"plain"']);
});

test("each part of a line has a kind", () => {
  const kinds = jsonLines(value).map(({ parts }) => parts.map(({ kind }) => kind).join(" "));
  expect(kinds[1]).toBe("name mark number mark");
  expect(kinds[3]).toBe("name mark text mark");
  expect(kinds[5]).toBe("word mark");
});

test("numbers that no double holds are numbers as they were sent", () => {
  const text = '{"id":9007199254740993,"list":[12345678901234567890,0.12345678901234567890]}';
  const lines = jsonLines(parseExact(text));
  expect(lines.map(textOf).join("")).toBe(
    '{  "id": 9007199254740993,  "list": [    12345678901234567890,    0.12345678901234567890  ]}',
  );
  expect(lines[1]?.parts.map(({ kind }) => kind)).toEqual(["name", "mark", "number", "mark"]);
  expect(lines[0]?.opens?.size).toBe(2);
});

test("a folded value shows only its first line", () => {
  const lines = jsonLines(value);
  expect(lines[2]?.opens).toEqual({ end: 9, size: 3 });
  expect(shownLines(lines, new Set())).toHaveLength(lines.length);
  expect(shownLines(lines, new Set([2, 4]))).toEqual([0, 1, 2, 10, 11, 12]);
  expect(shownLines(lines, new Set([4]))).toEqual([0, 1, 2, 3, 4, 8, 9, 10, 11, 12]);
  expect(shownLines(lines, new Set([0]))).toEqual([0]);
});
