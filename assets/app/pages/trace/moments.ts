// Everything that is known of a trace, on one axis of time.

import type { Event, EventSummary, LogEntry } from "../../api/schema.d.ts";
import { eventWord } from "../issue/axis/event-word.ts";
import { crumbMoments, logMoments, type Moment, toneOf } from "../issue/axis/moments.ts";

/** What a trace has, events in the order of time. */
export interface Trace {
  /** Its events, of whatever level. */
  errors: readonly EventSummary[];
  /** Those of them whose breadcrumbs are known. */
  events: readonly Event[];
  logs: readonly LogEntry[];
}

/** The word for the events of a trace: `error` only if all that there are say so by their level. */
export const wordOf = (errors: readonly Pick<EventSummary, "level">[], hasMore = false): "error" | "event" =>
  errors.length > 0 && !hasMore && errors.every(({ level }) => eventWord(level) === "error") ? "error" : "event";

/** The time that the others are told from: the first event's, or the first entry's where there is no event. */
export function startOf({ errors, logs }: Pick<Trace, "errors" | "logs">): number {
  const times = (errors.length > 0 ? errors : logs).map(({ timestamp }) => Date.parse(timestamp));
  return times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
}

/** All of a trace in the order of time, in milliseconds after `start`. */
export function traceMoments({ errors, events, logs }: Trace, start: number): Moment[] {
  const sent = errors.map(
    ({ event_id, timestamp, title, level }): Moment => ({
      at: Date.parse(timestamp) - start,
      lane: "events",
      id: `event-${event_id}`,
      words: title,
      about: level,
      level,
      tone: toneOf(level),
    }),
  );
  return [...sent, ...crumbsOf(events, start), ...logMoments(logs, start)].sort((one, other) => one.at - other.at);
}

/** The breadcrumbs of several events: each event of a page repeats those before it. */
function crumbsOf(events: readonly Event[], start: number): Moment[] {
  const found = new Map<string, Moment>();
  for (const event of events)
    for (const moment of crumbMoments(event, start)) {
      const key = JSON.stringify([moment.at, moment.about, moment.words]);
      if (!found.has(key)) found.set(key, { ...moment, id: `crumb-${found.size}` });
    }
  return [...found.values()];
}
