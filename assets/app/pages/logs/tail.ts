// The entries of the live tail: newest first, no more than a person can look through.

import type { LogEntry } from "../../api/schema.d.ts";

/** The most entries that are kept. */
export const kept = 2_000;

/** A message of the stream. */
export interface Arrived {
  logs: LogEntry[];
  skipped: number;
}

export interface Tail {
  shown: LogEntry[];
  /** Entries that arrived while paused, newest first. */
  waiting: LogEntry[];
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
  const fresh = held ? without(logs, idsOf(tail.shown.filter(({ id }) => again.has(id)))) : logs;
  const next = {
    shown,
    waiting: newest(fresh, waiting),
    late: tail.late + fresh.length - (tail.waiting.length - waiting.length),
    skipped,
    total: tail.total + logs.length,
    earlier: tail.earlier,
    first: tail.first ?? firstOf(logs),
  };
  return held ? next : released(next);
}

/** Shows the entries that waited. */
export function released(tail: Tail): Tail {
  if (tail.waiting.length === 0) return { ...tail, late: 0 };
  const found = tail.waiting.filter((entry) => !isStreamed(tail, entry));
  const streamed = without(tail.waiting, idsOf(found));
  return { ...tail, shown: newest(streamed, inserted(tail, found)), waiting: [], late: 0 };
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
