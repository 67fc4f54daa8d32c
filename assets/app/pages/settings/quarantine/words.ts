// Descriptions of events in quarantine.

import type { RetriedEvent } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { oneLine } from "../../../ui/visible.ts";

/** The most characters of an id and of a reason in a message. */
const most = { id: 80, reason: 300 };
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** The outcome of a retry. */
export function retriedWords({ event_id, outcome, reason }: RetriedEvent): string {
  const name = cut(oneLine(event_id), most.id);
  switch (outcome) {
    case "digested":
      return `Event ${name} was processed and is in its issue`;
    case "set_aside":
      return `Event ${name} failed again${reason ? `: ${cut(oneLine(reason), most.reason)}` : ""}`;
    case "waiting":
      return `Event ${name} is waiting in the queue`;
  }
}

/** The note in the list of issues. */
export const missingWords = (count: number): string =>
  `${counted(count, "event")} could not be processed and ${count === 1 ? "belongs" : "belong"} to no issue.`;

/** The note about dropped events; undefined if there are none. */
export const droppedWords = (dropped: number): string | undefined =>
  dropped > 0
    ? `${counted(dropped, "older event")} ${dropped === 1 ? "was" : "were"} dropped to make room for newer ones.`
    : undefined;
