import { useState } from "react";

/** The ids of a list, newest first. */
type Ids = readonly number[];

/** What the list has now that would move the rows that are shown, had it its place among them. */
export function heldBack(shown: Ids, now: Ids): number[] {
  const known = new Set(shown);
  const last = Math.min(...shown);
  return now.filter((id) => !known.has(id) && id > last);
}

/**
 * The rows of a list that somebody reads: what comes waits until it is called for, and moves nothing before. What was
 * taken away goes at once, and what follows it comes up. `key` says which list it is.
 */
export function useHeldRows(key: string, now: Ids, isRead: boolean) {
  const [held, setHeld] = useState({ key, ids: now });
  const isKnown = held.key === key && held.ids.length > 0 && isRead;
  const waiting = isKnown ? heldBack(held.ids, now) : [];
  const ids = waiting.length > 0 ? now.filter((id) => !waiting.includes(id)) : now;
  if (held.key !== key || ids.join() !== held.ids.join()) setHeld({ key, ids });
  return { ids, waiting: waiting.length, release: () => setHeld({ key, ids: now }) };
}
