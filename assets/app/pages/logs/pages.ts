// Pages of entries, newest first.

import type { LogEntry, Logs } from "../../api/schema.d.ts";

/** Entries per request. */
export const pageSize = 200;
/** The largest offset of a page; further pages continue by time. */
export const offsetMost = 100_000;

export interface PageParam {
  offset: number;
  /** Entries at or before this time only. */
  end?: string;
}

/** The next page; `undefined` at the end. */
export function nextPage(
  { logs, has_more }: Pick<Logs, "logs" | "has_more">,
  { offset, end }: PageParam,
): PageParam | undefined {
  const last = logs.at(-1);
  if (!has_more || !last) return undefined;
  const next = offset + logs.length;
  if (next <= offsetMost) return { offset: next, ...(end && { end }) };
  // Entries with the same time are returned again, and merged by id.
  return end === last.timestamp ? undefined : { offset: 0, end: last.timestamp };
}

/** The entries of some pages, each once. */
export function merged(pages: readonly Pick<Logs, "logs">[]): LogEntry[] {
  const seen = new Set<number>();
  return pages.flatMap(({ logs }) => logs).filter(({ id }) => !seen.has(id) && seen.add(id));
}
