// JSON within a number of characters that stays JSON: small values are whole, the large ones share what is left, and
// what is cut is said in a text or a key of its own. In linear time, whatever its shape.

import { ExactNumber, isBranch, isNumber } from "../../api/exact-json.ts";
import { counted, exact } from "../../ui/format.ts";
import { visible } from "../../ui/visible.ts";

/** What is to be written of a text; a key is no value. */
type Tell = (text: string, isValue: boolean) => string;

interface Leaf {
  text: string;
  /** How JSON writes it. */
  token: string;
  size: number;
}
interface Entry {
  /** With its colon; empty in a list. */
  key: string;
  name: string;
  node: Leaf | Branch;
}
interface Branch {
  isList: boolean;
  entries: Entry[];
  /** Characters that it takes as a whole, at its depth. */
  size: number;
}

/** Levels that are read. In a report none beneath has room: indentation alone takes 8,000 characters by then. */
const deepest = 64;
/** Characters of a key; of the outermost ones as few, where there are many, as these have to have room. */
const keys = { least: 40, most: 200 };
/** For the room of a value: `least` is enough where so all are kept; else each that is kept has `some`. */
interface Floor {
  least: number;
  some: number;
}
const outer: Floor = { least: 3, some: 3 };
const inner: Floor = { least: 40, some: 100 };
/** Room for the words on how many values are left out. */
const moreRoom = 30;

/** Writes `value`, whose texts and keys become what `tell` makes of them. */
export function cutJson(value: object, most: number, tell: Tell): string {
  const root = branchOf(value, 0, tell);
  if (root.size <= most) return whole(root, 0);
  const fair = Math.floor(most / root.entries.length / 2);
  const short = root.isList ? root : withKeys(root, Math.max(keys.least, Math.min(keys.most, fair)));
  return cutBranch(short, most, 0, outer);
}

const quoted = (text: string): string => visible(JSON.stringify(text));

function leaf(text: string, token: string): Leaf {
  return { text, token, size: token.length };
}

function nodeOf(value: unknown, depth: number, tell: Tell): Leaf | Branch {
  if (!isBranch(value)) return leafOf(value, tell);
  return depth < deepest ? branchOf(value, depth, tell) : leaf("… (deeper)", '"… (deeper)"');
}

function leafOf(value: unknown, tell: Tell): Leaf {
  if (typeof value === "string") {
    const text = tell(value, true);
    return leaf(text, quoted(text));
  }
  const written = value instanceof ExactNumber ? value.text : (JSON.stringify(value) ?? "null");
  const text = isNumber(value) ? tell(written, true) : written;
  // A number of which something is left out is a text.
  return leaf(text, text === written ? written : quoted(text));
}

function branchOf(value: object, depth: number, tell: Tell): Branch {
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([name, each]) => ({
    key: "",
    name: isList ? "" : tell(name, false),
    node: nodeOf(each, depth + 1, tell),
  }));
  const branch = isList ? { isList, entries, size: 0 } : withKeys({ isList, entries, size: 0 }, keys.most);
  const lines = branch.entries.reduce((sum, entry) => sum + lineOf(entry, depth) + entry.node.size, 0);
  return { ...branch, size: entries.length === 0 ? 2 : lines + frameOf(depth) - 1 };
}

/** What an entry takes besides its value: a line, its indentation, its key and a comma. */
const lineOf = ({ key }: Entry, depth: number): number => 2 + 2 * (depth + 1) + key.length;

/** What a branch takes besides its entries: the brackets, of which the last has a line. */
const frameOf = (depth: number): number => 3 + 2 * depth;

/** With keys of so many characters, no two of them the same. */
function withKeys(branch: Branch, most: number): Branch {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const keyOf = (name: string): string => {
    const token = quoted(name);
    const base = (token.length <= most ? token : cutLeaf(name, most)).slice(1, -1);
    let count = counts.get(base) ?? 0;
    let key = base;
    do {
      count += 1;
      key = count === 1 ? base : `${base} (${count})`;
    } while (taken.has(key));
    counts.set(base, count);
    taken.add(key);
    return `"${key}": `;
  };
  return { ...branch, entries: branch.entries.map((entry) => ({ ...entry, key: keyOf(entry.name) })) };
}

function whole(node: Leaf | Branch, depth: number): string {
  if (!("entries" in node)) return node.token;
  return framed(
    node,
    node.entries.map(({ key, node: each }) => `${key}${whole(each, depth + 1)}`),
    depth,
  );
}

function framed({ isList }: Branch, lines: string[], depth: number): string {
  const [open, close] = isList ? "[]" : "{}";
  const indent = "  ".repeat(depth);
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}

function cut(node: Leaf | Branch, room: number, depth: number): string {
  if (node.size <= room) return whole(node, depth);
  return "entries" in node ? cutBranch(node, room, depth, inner) : cutLeaf(node.text, room);
}

/** As much of a text as there is room for, never half of a character. */
function cutLeaf(text: string, room: number): string {
  const more = (count: number) => `… (${counted(count, "more character")})`;
  let left = room - more(text.length).length - 2;
  if (left < 0) return '"…"';
  let end = 0;
  for (const sign of text) {
    left -= quoted(sign).length - 2;
    if (left < 0) break;
    end += sign.length;
  }
  return quoted(`${text.slice(0, end)}${more(text.length - end)}`);
}

function cutBranch(branch: Branch, room: number, depth: number, floor: Floor): string {
  const within = room - frameOf(depth);
  const kept = keptOf(branch.entries, within, depth, floor);
  const hidden = branch.entries.length - kept.length;
  if (kept.length === 0) return folded(branch, room);
  const ours = kept.reduce((left, entry) => left - lineOf(entry, depth), within - (hidden > 0 ? moreLine(depth) : 0));
  const rooms = shares(
    kept.map(({ node }) => node.size),
    ours,
  );
  const lines = kept.map(({ key, node }, index) => `${key}${cut(node, rooms[index] ?? 0, depth + 1)}`);
  return framed(branch, hidden > 0 ? [...lines, moreOf(branch, kept, hidden)] : lines, depth);
}

/** A branch none of whose entries has room. */
function folded(branch: Branch, room: number): string {
  const more = moreOf(branch, [], branch.entries.length);
  const text = branch.isList ? `[${more}]` : `{ ${more} }`;
  return text.length <= room ? text : '"…"';
}

const moreLine = (depth: number): number => 2 + 2 * (depth + 1) + moreRoom;

function moreOf({ isList }: Branch, kept: Entry[], hidden: number): string {
  if (isList) return `"… ${exact(hidden)} more"`;
  const taken = new Set(kept.map(({ key }) => key));
  let key = "…";
  while (taken.has(`"${key}": `)) key += "…";
  return `"${key}": "${exact(hidden)} more"`;
}

/** All entries if they have room, else the first ones. */
function keptOf(entries: Entry[], room: number, depth: number, { least, some }: Floor): Entry[] {
  const taken = (entry: Entry, floor: number) => lineOf(entry, depth) + Math.min(entry.node.size, floor);
  if (entries.reduce((sum, entry) => sum + taken(entry, least), 0) <= room) return entries;
  let left = room - moreLine(depth);
  const first = entries.findIndex((entry) => {
    left -= taken(entry, some);
    return left < 0;
  });
  return entries.slice(0, first);
}

/** Room for each value: what the smaller ones do not use is for the larger ones. */
function shares(sizes: number[], room: number): number[] {
  const given = sizes.map(() => 0);
  let left = room;
  const ascending = sizes.map((size, index) => ({ size, index })).sort((one, other) => one.size - other.size);
  for (const [at, { size, index }] of ascending.entries()) {
    const share = Math.min(size, Math.floor(left / (sizes.length - at)));
    given[index] = share;
    left -= share;
  }
  return given;
}
