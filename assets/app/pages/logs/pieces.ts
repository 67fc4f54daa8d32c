// Splits a message into the parts that match the search, and the text between them.

import { plain, visible } from "../../ui/visible.ts";

export interface Piece {
  text: string;
  hit: boolean;
}

/** Characters before the first hit of a message that is cut. */
const before = 60;

/**
 * A message on one line of a limited length, around its first match if it is longer. `highlights` are start and
 * exclusive end, in UTF-16 code units, as the server returns them.
 */
export function piecesOf(message: string, highlights: readonly (readonly number[])[], most: number): Piece[] {
  const marks = highlights
    .map(([from = 0, to = 0]) => [Math.max(0, from), Math.min(to, message.length)] as const)
    .filter(([from, to]) => from < to)
    .sort(([a], [b]) => a - b);
  const first = marks[0]?.[0] ?? 0;
  const start = message.length <= most || first < most - before ? 0 : whole(message, Math.max(0, first - before));
  const end = whole(message, Math.min(message.length, start + most));
  const pieces: Piece[] = [];
  let at = start;
  const add = (to: number, hit: boolean) => {
    // Marks may touch, and may be cut by an end.
    if (to > at) pieces.push({ text: line(message.slice(at, to)), hit });
    at = Math.max(at, to);
  };
  for (const [from, to] of marks) {
    add(Math.min(from, end), false);
    add(Math.min(to, end), true);
  }
  add(end, false);
  if (start > 0) pieces.unshift({ text: "…", hit: false });
  if (end < message.length) pieces.push({ text: "…", hit: false });
  return pieces;
}

const line = (text: string): string => visible(plain(text).replace(/\s+/g, " "));

/** A position that does not split a surrogate pair. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);
