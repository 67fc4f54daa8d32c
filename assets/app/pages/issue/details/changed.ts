import type { Event } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";

/** How the event differs from what was sent. */
export function changedWords(event: Event): string[] {
  const words: string[] = [];
  if (event.scrubbed > 0)
    words.push(`${counted(event.scrubbed, "secret was", "secrets were")} removed from this event.`);
  if (event.truncated.length > 0) words.push(`Shortened to the limit: ${event.truncated.join(", ")}.`);
  if (event.timestamp_replaced) {
    const why =
      event.sent_timestamp === null ? "none was sent" : `the one sent (${event.sent_timestamp}) could not be used`;
    words.push(`The time shown is when the event was received: ${why}.`);
  }
  return words;
}
