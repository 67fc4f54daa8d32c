// Splits a line of source into coloured pieces, with the word at the column in a separate one.

/** A stretch of a line in one colour, by its length. */
export interface Token {
  length: number;
  /** Kind of token, such as `keyword`; names a class. */
  kind: string | undefined;
}

export interface Piece {
  text: string;
  kind: string | undefined;
  marked: boolean;
}

/** Characters of a line that are shown: one of 100,000 would freeze the page. */
export const shownMax = 1_000;
/** Of these, before the column. */
const before = 300;

export interface Cut {
  text: string;
  /** Characters left out at the start and at the end. */
  from: number;
  after: number;
}

/** A line cut to a displayable length, around the column if there is one. */
export function cutLine(line: string, at: number | undefined): Cut {
  if (line.length <= shownMax) return { text: line, from: 0, after: 0 };
  let from = at === undefined ? 0 : Math.max(0, Math.min(at - before, line.length - shownMax));
  let end = from + shownMax;
  // A pair of surrogates stays whole.
  if (isLow(line.charCodeAt(from))) from += 1;
  if (isLow(line.charCodeAt(end))) end -= 1;
  return { text: line.slice(from, end), from, after: line.length - end };
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The word at a column, or else its character. */
export function wordAt(text: string, at: number): [from: number, end: number] {
  const isWord = (index: number) => /[\p{L}\p{N}_$]/u.test(text.charAt(index));
  if (!isWord(at)) {
    const wide = text.codePointAt(at) ?? 0;
    return [at, Math.min(text.length, at + (wide > 0xffff ? 2 : 1))];
  }
  let end = at;
  while (end < text.length && isWord(end)) end += 1;
  return [at, end];
}

/** A line's text in pieces; tokens that do not cover it leave the rest plain. */
export function pieces(text: string, tokens: Token[] | undefined, at: number | undefined): Piece[] {
  const [from, end] = at === undefined ? [-1, -1] : wordAt(text, at);
  const found: Piece[] = [];
  const add = (start: number, stop: number, kind: string | undefined) => {
    const cuts = [start, ...[from, end].filter((cut) => cut > start && cut < stop), stop];
    for (let index = 0; index + 1 < cuts.length; index += 1) {
      const [a, b] = [cuts[index] as number, cuts[index + 1] as number];
      if (b > a) found.push({ text: text.slice(a, b), kind, marked: a >= from && b <= end });
    }
  };
  let place = 0;
  for (const { length, kind } of tokens ?? []) {
    add(place, Math.min(text.length, place + length), kind);
    place += length;
  }
  if (place < text.length) add(place, text.length, undefined);
  return found;
}
