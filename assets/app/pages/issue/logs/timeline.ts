// The log entries of an event's trace around the event itself, in the order of time.

import type { LogEntry } from "../../../api/schema.d.ts";

/** Entries belong to an event up to so long before and after it, in milliseconds: the server's own bound. */
export const around = 5 * 60_000;
/** The server's limits on a page's size and offset. */
const most = { limit: 1_000, offset: 100_000 };

/** The entries on each side that are loaded at first. */
export const firstSides: Sides = { before: 10, after: 10 };

/** How many entries are wanted on each side. */
export interface Sides {
  before: number;
  after: number;
}

/** The page with the entries nearest to the event, given the number of earlier ones. */
export function pageOf(earlier: number, { before, after }: Sides): { offset: number; limit: number } {
  const offset = Math.min(most.offset, Math.max(0, earlier - before));
  return { offset, limit: Math.min(most.limit, earlier - offset + after) };
}

/** The entries of a page before and after the event; those of its very time are before it. */
export function parted(entries: readonly LogEntry[], event: string): { before: LogEntry[]; after: LogEntry[] } {
  const time = Date.parse(event);
  const first = entries.findIndex(({ timestamp }) => Date.parse(timestamp) > time);
  const at = first < 0 ? entries.length : first;
  return { before: entries.slice(0, at), after: entries.slice(at) };
}

/** The entries nearest to a time, in their order. */
export function nearest(entries: readonly LogEntry[], time: string, count: number): LogEntry[] {
  const far = ({ timestamp }: LogEntry) => Math.abs(Date.parse(timestamp) - Date.parse(time));
  const kept = new Set(entries.toSorted((one, other) => far(one) - far(other)).slice(0, count));
  return entries.filter((entry) => kept.has(entry));
}

/** More of one side: first some, then many. */
export const grown = (count: number): number => Math.min(400, count * 4);
