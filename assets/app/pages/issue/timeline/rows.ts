// Breadcrumbs and logs in one list with the event, in the order of time.

import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { sameClocks } from "../axis/clocks.ts";
import { type Moment, momentsOf } from "../axis/moments.ts";
import type { Sides } from "../logs/timeline.ts";

export type Row =
  | { kind: "moment"; key: string; moment: Moment }
  | { kind: "event"; key: string }
  | { kind: "silence"; key: string; lasted: number }
  /** Stands for log entries that are not loaded, where they will be. */
  | { kind: "more"; key: string; side: keyof Sides; count: number };

/** The key of the event's own row. */
const own = "own-event";

/** Nothing for so long is said in a row of its own, in milliseconds. */
const silence = 60_000;

/** A row with its time. */
interface Timed {
  at: number;
  row: Row;
}

const allLoaded: Sides = { before: 0, after: 0 };

/**
 * The rows around an event; what has its very time comes before it. `unloaded` is how many log entries there are before
 * and after those given. Beyond these nothing is called a silence, since such entries may be in it.
 */
export function rowsOf(event: Event, logs: readonly LogEntry[], clocks = sameClocks, unloaded = allLoaded): Row[] {
  const moments = momentsOf(event, logs, clocks);
  const before = moments.filter(({ at }) => at <= 0);
  const after = moments.slice(before.length);
  const all: Timed[] = [
    ...before.map((moment) => ({ at: moment.at, row: rowOf(moment) })),
    { at: 0, row: { kind: "event", key: own } },
    ...after.map((moment) => ({ at: moment.at, row: rowOf(moment) })),
  ];
  const first = unloaded.before > 0 ? Math.max(0, all.findIndex(isOfLogs)) : 0;
  const end = (unloaded.after > 0 && all.findLastIndex(isOfLogs) + 1) || all.length;
  return [
    ...all.slice(0, first).map(({ row }) => row),
    ...moreOf("before", unloaded),
    ...withSilences(all.slice(first, end)),
    ...moreOf("after", unloaded),
    ...all.slice(end).map(({ row }) => row),
  ];
}

const isOfLogs = ({ row }: Timed): boolean => row.kind === "moment" && row.moment.entry !== undefined;

const moreOf = (side: keyof Sides, unloaded: Sides): Row[] =>
  unloaded[side] > 0 ? [{ kind: "more", key: `more ${side}`, side, count: unloaded[side] }] : [];

/** The rows of moments in order of time, each told from the same one. */
export const rowsOfMoments = (moments: readonly Moment[]): Row[] =>
  withSilences(moments.map((moment) => ({ at: moment.at, row: rowOf(moment) })));

/** The row that a player is at: the nearest before its moment, if there is one. */
export const playedRow = (rows: readonly Row[], at: number): Row | undefined =>
  rows.findLast((row) => (row.kind === "event" ? at >= 0 : row.kind === "moment" && row.moment.at <= at));

const withSilences = (all: readonly Timed[]): Row[] =>
  all.flatMap(({ at, row }, index): Row[] => {
    const lasted = at - (all[index - 1]?.at ?? at);
    return lasted < silence ? [row] : [{ kind: "silence", key: `before ${row.key}`, lasted }, row];
  });

const rowOf = (moment: Moment): Row => ({ kind: "moment", key: moment.id, moment });
