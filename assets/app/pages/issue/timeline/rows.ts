// Breadcrumbs and logs in one list with the event, in the order of time.

import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { type Moment, momentsOf } from "../axis/moments.ts";

export type Row =
  | { kind: "moment"; key: string; moment: Moment }
  | { kind: "event"; key: string }
  | { kind: "silence"; key: string; lasted: number };

/** Longer periods without entries get a row, in milliseconds. */
const silence = 60_000;

/** The rows around an event; rows with the same time come before it. */
export function rowsOf(event: Event, logs: readonly LogEntry[]): Row[] {
  const moments = momentsOf(event, logs);
  const before = moments.filter(({ at }) => at <= 0);
  const after = moments.slice(before.length);
  const all: { at: number; row: Row }[] = [
    ...before.map((moment) => ({ at: moment.at, row: rowOf(moment) })),
    { at: 0, row: { kind: "event", key: "event" } },
    ...after.map((moment) => ({ at: moment.at, row: rowOf(moment) })),
  ];
  return withSilences(all);
}

/** The rows of moments in order of time, each told from the same one. */
export const rowsOfMoments = (moments: readonly Moment[]): Row[] =>
  withSilences(moments.map((moment) => ({ at: moment.at, row: rowOf(moment) })));

const withSilences = (all: readonly { at: number; row: Row }[]): Row[] =>
  all.flatMap(({ at, row }, index): Row[] => {
    const lasted = at - (all[index - 1]?.at ?? at);
    return lasted < silence ? [row] : [{ kind: "silence", key: `before ${row.key}`, lasted }, row];
  });

const rowOf = (moment: Moment): Row => ({ kind: "moment", key: moment.id, moment });
