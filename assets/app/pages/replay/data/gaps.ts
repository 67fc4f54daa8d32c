import { counted, took } from "../../../ui/format.ts";
import { timecode } from "../player/timecode.ts";

/** Where parts of a recording are missing, in milliseconds from the beginning. */
export interface Gap {
  at: number;
  /** When recording continues; undefined until then. */
  to: number | undefined;
  /** Numbers of the first and the last part, from 0. */
  first: number;
  last: number;
  /** Of a part that came in several requests, where only some are missing: the first and the last of those, from 0. */
  pieces?: [first: number, last: number] | undefined;
  why: keyof typeof reasons;
}

/** Why parts are missing, and in words, of one and of several. */
const reasons = {
  never_arrived: ["never arrived", "never arrived"],
  file_missing: ["is no longer on the server’s disk", "are no longer on the server’s disk"],
  file_damaged: ["is damaged on the server’s disk", "are damaged on the server’s disk"],
} as const;

const isReason = (value: unknown): value is Gap["why"] => typeof value === "string" && Object.hasOwn(reasons, value);

/** The most gaps that are kept, and that are listed separately. */
const most = 1_000;
const told = 3;

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;

/** Adds what the server says of parts that are missing, `at` the end of what was read before. */
export function addGap(gaps: Gap[], said: Record<string, unknown>, at: number): void {
  const [first, last] = [numberOf(said.from_chunk), numberOf(said.to_chunk)];
  if (first === undefined || last === undefined || last < first || gaps.length >= most) return;
  const why = isReason(said.why) ? said.why : "never_arrived";
  const [from, to] = [numberOf(said.from_part), numberOf(said.to_part)];
  const pieces: Gap["pieces"] = from === undefined || to === undefined || to < from ? undefined : [from, to];
  const gap: Gap = { at, to: undefined, first, last, why, pieces };
  if (!isJoined(gaps.at(-1), gap)) gaps.push(gap);
}

/** Whether a gap goes on with the one before it, which then is both. */
function isJoined(before: Gap | undefined, { first, last, why, pieces }: Gap): boolean {
  if (before === undefined || before.to !== undefined || before.why !== why) return false;
  if (pieces && before.pieces) {
    if (before.first !== first || before.pieces[1] !== pieces[0] - 1) return false;
    before.pieces[1] = pieces[1];
    return true;
  }
  if (pieces || before.pieces || before.last !== first - 1) return false;
  before.last = last;
  return true;
}

/** Ends gaps at an event, unless it may have happened earlier. */
export function endGaps(gaps: readonly Gap[], at: number): void {
  for (let index = gaps.length - 1; index >= 0; index -= 1) {
    const gap = gaps[index]!;
    if (gap.to !== undefined || at < gap.at) return;
    gap.to = at;
  }
}

const lengthOf = ({ at, to }: Gap): number => (to ?? at) - at;

const seconds = (milliseconds: number): string =>
  milliseconds >= 59_500 ? took(milliseconds) : `${Math.round(milliseconds / 1_000)} s`;

/** A gap as a sentence: people count parts from 1. */
export function gapWords(gap: Gap): string {
  const { at, to, first, last, why, pieces } = gap;
  const isOne = pieces ? pieces[0] === pieces[1] : first === last;
  const parts = pieces ? `${numbers("Piece", ...pieces)} of part ${first + 1}` : numbers("Part", first, last);
  return `${parts} ${reasons[why][isOne ? 0 : 1]}: ${pieces ? `the page is incomplete at ${timecode(at)}` : missing(at, to)}.`;
}

const numbers = (word: string, first: number, last: number): string =>
  first === last ? `${word} ${first + 1}` : `${word}s ${first + 1} to ${last + 1}`;

function missing(at: number, to: number | undefined): string {
  if (at === 0) return "the beginning is missing";
  if (to === undefined) return "the end is missing";
  return `${to - at < 1_000 ? "less than 1 s is" : `${seconds(to - at)} are`} missing at ${timecode(at)}`;
}

/** Descriptions of all gaps. */
export function gapNotes(gaps: readonly Gap[]): string[] {
  const notes = gaps.slice(0, told).map(gapWords);
  const others = gaps.slice(told);
  if (others.length === 0) return notes;
  const sum = others.reduce((all, gap) => all + lengthOf(gap), 0);
  const end = others.some(({ to, pieces }) => to === undefined && !pieces) ? ", and the end is missing" : "";
  return [...notes, `${counted(others.length, "more gap")} of ${seconds(sum)} in all${end}.`];
}
