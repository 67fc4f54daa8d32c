// What the live tail holds: the newest first, no more than a person can look through.

import type { LogEntry } from "../../api/schema.d.ts";

/** Entries that are kept. */
export const kept = 2_000;

/** A message of the stream. */
export interface Arrived {
  logs: LogEntry[];
  skipped: number;
}

export interface Tail {
  shown: LogEntry[];
  /** Came while nothing may move; the newest first. */
  waiting: LogEntry[];
  /** Came meanwhile, also those that are no longer kept. */
  late: number;
  /** The server left so many out: more came than it sends. */
  skipped: number;
  total: number;
  /** What was there before the stream and may come in it once more; `undefined` until that is known. */
  earlier: ReadonlySet<number> | undefined;
}

export const empty: Tail = { shown: [], waiting: [], late: 0, skipped: 0, total: 0, earlier: undefined };

/**
 * Begins with entries from before the stream, the newest first; the stream goes on above them. Those that a search finds only
 * later come between the two.
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

/** With what arrived; while it is `held`, the rows stay where they are. */
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

/** Lets in what waited. */
export function released(tail: Tail): Tail {
  return tail.waiting.length === 0
    ? { ...tail, late: 0 }
    : { ...tail, shown: newest(tail.waiting, tail.shown), waiting: [], late: 0 };
}

const newest = (first: LogEntry[], then: LogEntry[]): LogEntry[] => [...first, ...then].slice(0, kept);
