// Events that were set aside, in words.

import type { RetriedEvent } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { oneLine } from "../../../ui/visible.ts";

/** Characters of an id and a reason in a message. */
const most = { id: 80, reason: 300 };
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** What became of an event that was tried again. */
export function retriedWords({ event_id, outcome, reason }: RetriedEvent): string {
  const name = cut(oneLine(event_id), most.id);
  switch (outcome) {
    case "digested":
      return `Event ${name} is in its issue now`;
    case "set_aside":
      return `Event ${name} failed again${reason ? `: ${cut(oneLine(reason), most.reason)}` : ""}`;
    case "waiting":
      return `Event ${name} is in the queue; others are before it`;
  }
}

/** What the list of issues says about them. */
export const missingWords = (count: number): string =>
  `${counted(count, "event")} could not be processed and ${count === 1 ? "is" : "are"} in no issue.`;

/** What the page says about those that are no more; nothing while there are none. */
export const droppedWords = (dropped: number): string | undefined =>
  dropped > 0
    ? `${counted(dropped, "older event")} made room for newer ones and ${dropped === 1 ? "is" : "are"} lost.`
    : undefined;
