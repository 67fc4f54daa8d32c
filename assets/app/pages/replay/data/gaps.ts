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
  why: "never_arrived" | "file_missing";
}

/** The most gaps that are kept, and that are listed separately. */
const most = 1_000;
const told = 3;

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;

/** Adds a gap reported by the server, `at` the end of what was read before. */
export function addGap(gaps: Gap[], { from_chunk, to_chunk, why }: Record<string, unknown>, at: number): void {
  const [first, last] = [numberOf(from_chunk), numberOf(to_chunk)];
  if (first === undefined || last === undefined || last < first || gaps.length >= most) return;
  const reason = why === "file_missing" ? why : "never_arrived";
  const before = gaps.at(-1);
  if (before?.to === undefined && before?.last === first - 1 && before.why === reason) before.last = last;
  else gaps.push({ at, to: undefined, first, last, why: reason });
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
  const { at, to, first, last, why } = gap;
  const isOne = first === last;
  const parts = isOne ? `Part ${first + 1}` : `Parts ${first + 1} to ${last + 1}`;
  const reasons = {
    never_arrived: "never arrived",
    file_missing: `${isOne ? "is" : "are"} no longer on the server’s disk`,
  };
  return `${parts} ${reasons[why]}: ${missing(at, to)}.`;
}

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
  const end = others.some(({ to }) => to === undefined) ? ", and the end is missing" : "";
  return [...notes, `${counted(others.length, "more gap")} of ${seconds(sum)} in all${end}.`];
}
