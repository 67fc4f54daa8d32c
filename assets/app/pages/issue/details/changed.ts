import type { Event } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";

/** What of the event is not as it was sent, in words. */
export function changedWords(event: Event): string[] {
  const words: string[] = [];
  if (event.scrubbed > 0) words.push(`${counted(event.scrubbed, "value was", "values were")} removed as secret.`);
  if (event.truncated.length > 0) words.push(`Cut to their limit: ${event.truncated.join(", ")}.`);
  if (event.timestamp_replaced) {
    const sent =
      event.sent_timestamp === null ? "none was sent" : `what was sent (${event.sent_timestamp}) could not be used`;
    words.push(`The time is that of the receipt: ${sent}.`);
  }
  return words;
}
