// JSON as lines that can be folded and coloured: the output of `JSON.stringify(value, undefined, 2)` line by line.

import { isBranch, isNumber } from "../../../api/exact-json.ts";

/** The kind of a part of a line, which determines its colour. */
export type JsonKind = "name" | "text" | "number" | "word" | "mark";

export interface JsonPart {
  kind: JsonKind;
  text: string;
}

export interface JsonLine {
  depth: number;
  parts: JsonPart[];
  /** Of a line that opens an object or a list: the line that closes it, and how many entries are within. */
  opens?: { end: number; size: number };
}

const mark = (text: string): JsonPart => ({ kind: "mark", text });

function scalar(value: unknown): JsonPart {
  const text = JSON.stringify(value) ?? "null";
  if (typeof value === "string") return { kind: "text", text };
  return { kind: isNumber(value) ? "number" : "word", text };
}

/** The lines of a value, in order. */
export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  add(lines, value, 0, [], "");
  return lines;
}

function add(lines: JsonLine[], value: unknown, depth: number, name: JsonPart[], comma: string): void {
  const isList = Array.isArray(value);
  const entries = isBranch(value) ? Object.entries(value) : [];
  const after = comma === "" ? [] : [mark(comma)];
  const [start, end] = isList ? ["[", "]"] : ["{", "}"];
  if (!isBranch(value)) {
    lines.push({ depth, parts: [...name, scalar(value), ...after] });
  } else if (entries.length === 0) {
    lines.push({ depth, parts: [...name, mark(`${start}${end}${comma}`)] });
  } else {
    const opening: JsonLine = { depth, parts: [...name, mark(start)] };
    lines.push(opening);
    for (const [at, [key, each]] of entries.entries()) {
      const named: JsonPart[] = isList ? [] : [{ kind: "name", text: JSON.stringify(key) }, mark(": ")];
      add(lines, each, depth + 1, named, at < entries.length - 1 ? "," : "");
    }
    opening.opens = { end: lines.length, size: entries.length };
    lines.push({ depth, parts: [mark(`${end}${comma}`)] });
  }
}

/** The numbers of the lines that are seen while some are folded: of those, only the line that opens them. */
export function shownLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    shown.push(at);
    const { opens } = lines[at] ?? {};
    if (opens && folded.has(at)) at = opens.end;
  }
  return shown;
}
