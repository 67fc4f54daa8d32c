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
  /** The ids of entries from before the stream that the stream may repeat; `undefined` until they are loaded. */
  earlier: ReadonlySet<number> | undefined;
}

export const empty: Tail = { shown: [], waiting: [], late: 0, skipped: 0, total: 0, earlier: undefined };

/**
 * Adds entries from before the stream, newest first, below those of the stream. Entries that a search finds only
 * later are inserted between the two.
 */
export function begun(tail: Tail, earlier: readonly LogEntry[]): Tail {
  const known = new Set([...tail.waiting, ...tail.shown].map(({ id }) => id));
  const rest = earlier.filter(({ id }) => !known.has(id) && !tail.earlier?.has(id));
  if (tail.earlier && rest.length === 0) return tail;
  const isEarlier = ({ id }: LogEntry) => tail.earlier?.has(id) ?? false;
  const [streamed, before] = [tail.shown.filter((entry) => !isEarlier(entry)), tail.shown.filter(isEarlier)];
  const all = new Set([...(tail.earlier ?? []), ...rest.map(({ id }) => id)]);
  return { ...tail, shown: newest(streamed, [...rest, ...before]), earlier: all };
}

/** Adds arrived entries; while `held`, the rows stay in place. */
export function arrive(tail: Tail, messages: readonly Arrived[], held: boolean): Tail {
  const logs = messages
    .flatMap((message) => message.logs)
    .filter(({ id }) => !tail.earlier?.has(id))
    .reverse();
  const skipped = tail.skipped + messages.reduce((sum, message) => sum + message.skipped, 0);
  const next = { ...tail, skipped, total: tail.total + logs.length };
  if (held) return { ...next, waiting: newest(logs, tail.waiting), late: tail.late + logs.length };
  return released({ ...next, waiting: newest(logs, tail.waiting) });
}

/** Shows the entries that waited. */
export function released(tail: Tail): Tail {
  return tail.waiting.length === 0
    ? { ...tail, late: 0 }
    : { ...tail, shown: newest(tail.waiting, tail.shown), waiting: [], late: 0 };
}

const newest = (first: LogEntry[], then: LogEntry[]): LogEntry[] => [...first, ...then].slice(0, kept);
