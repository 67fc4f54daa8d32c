import type { EventSummary, Walk, WalkedEvent } from "../../api/schema.d.ts";

type EventPosition = Pick<EventSummary, "id" | "timestamp">;

/** Whether an event comes after another in the order. */
function isAfter(one: EventPosition, other: EventPosition): boolean {
  const gap = Date.parse(one.timestamp) - Date.parse(other.timestamp);
  return gap > 0 || (gap === 0 && one.id > other.id);
}

/** The neighbours, with the currently newest event, which may have arrived after the answer. */
export const walkNow = ({ event, walk }: WalkedEvent, newest: EventSummary | null | undefined): Walk =>
  newest && isAfter(newest, event) ? { ...walk, last: newest.event_id } : walk;

/** Whether the event was the last one, and newer ones have arrived since. */
export const isEndOpen = ({ event, walk }: WalkedEvent, newest: EventSummary | null | undefined): boolean =>
  walk.newer === null && newest != null && isAfter(newest, event);
