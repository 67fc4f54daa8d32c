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
}

export const empty: Tail = { shown: [], waiting: [], late: 0, skipped: 0, total: 0 };

/** With what arrived; while it is `held`, the rows stay where they are. */
export function arrive(tail: Tail, messages: readonly Arrived[], held: boolean): Tail {
  const logs = messages.flatMap((message) => message.logs).reverse();
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
