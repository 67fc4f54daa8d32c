import { useState } from "react";

/** The ids of a list, newest first. */
type Ids = readonly number[];

/** The current notifications that would move rows on screen if they were inserted. */
export function heldBack(shown: Ids, now: Ids): number[] {
  const known = new Set(shown);
  const last = Math.min(...shown);
  return now.filter((id) => !known.has(id) && id > last);
}

/**
 * The rows of a list while somebody reads it: new ones wait until they are requested, so that nothing moves. Removed
 * rows disappear at once, and later rows move up. `key` identifies the list.
 */
export function useHeldRows(key: string, now: Ids, isRead: boolean) {
  const [held, setHeld] = useState({ key, ids: now });
  const isKnown = held.key === key && held.ids.length > 0 && isRead;
  const waiting = isKnown ? heldBack(held.ids, now) : [];
  const ids = waiting.length > 0 ? now.filter((id) => !waiting.includes(id)) : now;
  if (held.key !== key || ids.join() !== held.ids.join()) setHeld({ key, ids });
  return { ids, waiting: waiting.length, release: () => setHeld({ key, ids: now }) };
}
