// The entries of the live tail: newest first, no more than a person can look through.

import type { LogEntry, Logs } from "../../api/schema.d.ts";

/** The most entries that are kept. */
export const kept = 2_000;

/** A message of the stream. */
export interface Arrived {
  logs: LogEntry[];
  skipped: number;
}

/** Entries that the stream missed, newest first; they belong above `after`, the greatest id before. */
interface Missed {
  after: number;
  entries: LogEntry[];
}

export interface Tail {
  shown: LogEntry[];
  /** Entries that arrived while paused, newest first. */
  waiting: LogEntry[];
  /** Entries that the stream missed, and that were found while paused. */
  missed: Missed[];
  /** The number of entries that arrived while paused, including those that were dropped. */
  late: number;
  /** The number of entries that the server left out because there were too many. */
  skipped: number;
  total: number;
  /** The ids of entries that a search found, which the stream may repeat; `undefined` until they are loaded. */
  earlier: ReadonlySet<number> | undefined;
  /** The id of the first entry of the stream. Ids grow, and whatever has a greater one comes by the stream, too. */
  first: number | undefined;
}

export const empty: Tail = {
  shown: [],
  waiting: [],
  missed: [],
  late: 0,
  skipped: 0,
  total: 0,
  earlier: undefined,
  first: undefined,
};

/**
 * Adds entries that a search found, newest first, below those of the stream. Those that it finds only later are
 * inserted between the two; while `held`, they wait. What comes after the first entry of the stream is left to the
 * stream, even where the search is quicker: only the stream has it in order, counts it, and lets it wait.
 */
export function begun(tail: Tail, found: readonly LogEntry[], held: boolean): Tail {
  const known = idsOf([...tail.waiting, ...tail.shown]);
  const rest = found.filter(
    (entry) => !known.has(entry.id) && !tail.earlier?.has(entry.id) && !isStreamed(tail, entry),
  );
  if (tail.earlier && rest.length === 0) return tail;
  const next = { ...tail, earlier: new Set([...(tail.earlier ?? []), ...idsOf(rest)]) };
  if (tail.earlier && held) return { ...next, waiting: newest(tail.waiting, rest), late: tail.late + rest.length };
  return { ...next, shown: inserted(tail, rest) };
}

/** Adds arrived entries, those of a message in order of time; while `held`, the rows stay in place. */
export function arrive(tail: Tail, messages: readonly Arrived[], held: boolean): Tail {
  const logs = messages.toReversed().flatMap((message) => message.logs.toSorted(byTime));
  const skipped = tail.skipped + messages.reduce((sum, message) => sum + message.skipped, 0);
  // What a search has found already takes its place in the stream, unless its row has to stay.
  const again = idsOf(logs.filter(({ id }) => tail.earlier?.has(id)));
  const shown = held ? tail.shown : without(tail.shown, again);
  const waiting = without(tail.waiting, again);
  const missed = tail.missed.map(({ after, entries }) => ({ after, entries: without(entries, again) }));
  const left = sizeOf(tail) - waiting.length - missed.reduce((sum, { entries }) => sum + entries.length, 0);
  const fresh = held ? without(logs, idsOf(tail.shown.filter(({ id }) => again.has(id)))) : logs;
  const next = {
    shown,
    waiting: newest(fresh, waiting),
    missed,
    late: tail.late + fresh.length - left,
    skipped,
    total: tail.total + logs.length,
    earlier: tail.earlier,
    first: tail.first ?? firstOf(logs),
  };
  return held ? next : released(next);
}

/** Shows the entries that waited. */
export function released(tail: Tail): Tail {
  if (sizeOf(tail) === 0) return { ...tail, missed: [], late: 0 };
  const found = tail.waiting.filter((entry) => !isStreamed(tail, entry));
  const streamed = without(tail.waiting, idsOf(found));
  const shown = tail.missed.reduce(between, newest(streamed, inserted(tail, found)));
  return { ...tail, shown, waiting: [], missed: [], late: 0 };
}

/** The number of entries that wait. */
const sizeOf = ({ waiting, missed }: Tail): number =>
  missed.reduce((sum, { entries }) => sum + entries.length, waiting.length);

/** All of its entries, in no order. */
export const entriesOf = ({ shown, waiting, missed }: Tail): LogEntry[] => [
  ...shown,
  ...waiting,
  ...missed.flatMap(({ entries }) => entries),
];

/**
 * The greatest id of the tail, above which is what it misses while it has no connection; `0` if there are no entries,
 * `undefined` as long as nobody knows.
 */
export function greatestId(tail: Tail): number | undefined {
  const entries = entriesOf(tail);
  if (entries.length === 0 && tail.earlier === undefined) return undefined;
  return entries.reduce((most, { id }) => Math.max(most, id), 0);
}

/** Adds entries that a search found after a connection was lost, at the id `after`; while `held`, they wait. */
export function caughtUp(tail: Tail, after: number, found: readonly LogEntry[], held: boolean): Tail {
  const known = idsOf(entriesOf(tail));
  const entries = found.filter(({ id }) => id > after && !known.has(id));
  if (entries.length === 0) return tail;
  const next = {
    ...tail,
    // The stream may repeat them.
    earlier: new Set([...(tail.earlier ?? []), ...idsOf(entries)]),
    missed: [...tail.missed, { after, entries }],
    late: tail.late + entries.length,
    total: tail.total + entries.length,
  };
  return held ? next : released(next);
}

/** For how long clients gather entries before they send them, with some to spare; milliseconds. */
const gathered = 10_000;

/**
 * The earliest time that entries received after this one name, unless they were sent late; milliseconds since the
 * epoch. Its own time does not tell where it was sent late itself, or by a clock that is ahead.
 */
export function writtenAfter({ timestamp, received_at }: Pick<LogEntry, "timestamp" | "received_at">): number {
  const received = Date.parse(received_at);
  return Math.min(received, Math.max(Date.parse(timestamp), received - gathered));
}

/** Whether a page, the latest times first, ends before it reaches back to a time: ids are in no order there. */
export function isCutShort({ logs, has_more }: Pick<Logs, "logs" | "has_more">, to: number): boolean {
  const last = logs.at(-1);
  return has_more && last !== undefined && Date.parse(last.timestamp) > to;
}

/** The rows with what was missed between them. */
function between(shown: LogEntry[], { after, entries }: Missed): LogEntry[] {
  const later = shown.filter(({ id }) => id > after);
  return newest([...later, ...entries], without(shown, idsOf(later)));
}

/** The rows with entries that a search found below those of the stream. */
function inserted(tail: Tail, found: readonly LogEntry[]): LogEntry[] {
  if (found.length === 0) return tail.shown;
  const streamed = tail.shown.filter((entry) => isStreamed(tail, entry));
  return newest([...streamed, ...found], without(tail.shown, idsOf(streamed)));
}

const isStreamed = ({ first }: Tail, { id }: LogEntry): boolean => first !== undefined && id >= first;

const idsOf = (entries: readonly LogEntry[]): ReadonlySet<number> => new Set(entries.map(({ id }) => id));

const without = (entries: LogEntry[], ids: ReadonlySet<number>): LogEntry[] =>
  ids.size === 0 ? entries : entries.filter(({ id }) => !ids.has(id));

/** The newest first. Times have three digits after the point, or six: without their `Z`, they sort as texts. */
const byTime = (a: LogEntry, b: LogEntry): number => {
  const [one, other] = [a.timestamp.slice(0, -1), b.timestamp.slice(0, -1)];
  return one === other ? b.id - a.id : one < other ? 1 : -1;
};

const firstOf = (entries: readonly LogEntry[]): number | undefined =>
  entries.length === 0 ? undefined : Math.min(...entries.map(({ id }) => id));

const newest = (first: LogEntry[], then: LogEntry[]): LogEntry[] => [...first, ...then].slice(0, kept);
