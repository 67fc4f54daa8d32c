// Everything that is known of a trace, on one axis of time.

import type { Event, EventSummary, LogEntry } from "../../api/schema.d.ts";
import { crumbMoments, logMoments, type Moment } from "../issue/axis/moments.ts";

/** What a trace has, errors in the order of time. */
export interface Trace {
  errors: readonly EventSummary[];
  /** Those of the errors whose breadcrumbs are known. */
  events: readonly Event[];
  logs: readonly LogEntry[];
}

/** The time that the others are told from: the first error's, or the first entry's where there is no error. */
export function startOf({ errors, logs }: Pick<Trace, "errors" | "logs">): number {
  const times = (errors.length > 0 ? errors : logs).map(({ timestamp }) => Date.parse(timestamp));
  return times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
}

/** All of a trace in the order of time, in milliseconds after `start`. */
export function traceMoments({ errors, events, logs }: Trace, start: number): Moment[] {
  const thrown = errors.map(
    ({ event_id, timestamp, title, level }): Moment => ({
      at: Date.parse(timestamp) - start,
      lane: "errors",
      id: `error-${event_id}`,
      words: title,
      about: level,
      tone: level === "warning" ? "warning" : level === "info" || level === "debug" ? "plain" : "error",
    }),
  );
  return [...thrown, ...crumbsOf(events, start), ...logMoments(logs, start)].sort((one, other) => one.at - other.at);
}

/** The breadcrumbs of several errors: each error of a page repeats those before it. */
function crumbsOf(events: readonly Event[], start: number): Moment[] {
  const found = new Map<string, Moment>();
  for (const event of events)
    for (const moment of crumbMoments(event, start)) {
      const key = JSON.stringify([moment.at, moment.about, moment.words]);
      if (!found.has(key)) found.set(key, { ...moment, id: `crumb-${found.size}` });
    }
  return [...found.values()];
}
