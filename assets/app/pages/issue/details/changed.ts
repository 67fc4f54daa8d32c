import type { Event } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";

/**
 * The paths of what is kept whole or not at all: free-form properties, what variables held, the data of breadcrumbs, and
 * the cause after the last one. Of all others, the server keeps a part.
 */
const wholeOnly = [
  /^(extra|contexts)\../,
  /^exception(\.cause)*\.frames\[\d+\]\.vars\../,
  /^breadcrumbs\[\d+\]\.data(\..|$)/,
  /^exception(\.cause)+$/,
];

const isLeftOut = (path: string) => wholeOnly.some((each) => each.test(path));

/** How the event differs from what was sent. */
export function changedWords(event: Event): string[] {
  const words: string[] = [];
  if (event.scrubbed > 0)
    words.push(`${counted(event.scrubbed, "secret was", "secrets were")} removed from this event.`);
  const shortened = event.truncated.filter((path) => !isLeftOut(path));
  const leftOut = event.truncated.filter(isLeftOut);
  if (shortened.length > 0) words.push(`Shortened to the limit: ${shortened.join(", ")}.`);
  if (leftOut.length > 0) words.push(`Left out because of the limit: ${leftOut.join(", ")}.`);
  if (event.timestamp_replaced) {
    const why =
      event.sent_timestamp === null ? "none was sent" : `the one sent (${event.sent_timestamp}) could not be used`;
    words.push(`The time shown is when the event was received: ${why}.`);
  }
  return words;
}
