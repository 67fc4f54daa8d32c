import { useMemo, useState } from "react";
import type { EventSummary, LogEntry, Replay } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { currentOf, type Moment, wholeSpan } from "../issue/axis/moments.ts";
import { MomentLine } from "../issue/axis/MomentLine.tsx";
import { TimeAxis } from "../issue/axis/TimeAxis.tsx";
import { addressOf } from "../issue/axis/watch.ts";
import { rowsOfMoments } from "../issue/timeline/rows.ts";
import { MomentRow, SilenceRow } from "../issue/timeline/TimelineRow.tsx";
import { term } from "../logs/terms.ts";
import { startOf, traceMoments } from "./moments.ts";
import { useTraceEvents, useTraceReplay } from "./queries.ts";
import classes from "./Trace.module.css";

interface Props {
  project: number;
  trace: string;
  /** In the order of time. */
  errors: EventSummary[];
  /** What they are. */
  word: "error" | "event";
  logs: LogEntry[];
}

/** A trace on one axis, and in one list below it. */
export function TraceTime({ project, trace, errors, word, logs }: Props) {
  const events = useTraceEvents(project, errors);
  const replay = useTraceReplay(project, events);
  const [at, point] = useState<number>();
  const first = errors.length > 0 ? `first ${word}` : "first entry";
  const start = useMemo(() => startOf({ errors, logs }), [errors, logs]);
  const moments = useMemo(() => traceMoments({ errors, events, logs }, start), [errors, events, logs, start]);
  const rows = useMemo(() => rowsOfMoments(moments), [moments]);
  const span = useMemo(() => wholeSpan(moments), [moments]);
  const marks = useMemo(
    () => errors.map(({ timestamp, level }) => ({ at: Date.parse(timestamp) - start, level })),
    [errors, start],
  );
  const current = at === undefined ? undefined : currentOf(moments, at);
  const watch = (moment: number) => replay && addressOf(project, replay, start + moment);
  const addresses = useMemo(() => addressesOf(project, trace, errors, start), [project, trace, errors, start]);
  return (
    <>
      <TimeAxis
        label="Time of this trace"
        start={`The ${first}`}
        moments={moments}
        span={span}
        at={at}
        point={point}
        recorded={replay && recordedOf(replay, start)}
        events={marks}
      />
      <MomentLine moment={current} show={show} watch={watch(current?.at ?? 0)} start={`the ${first}`} />
      <ol className={classes.rows} aria-label="Timeline">
        {rows.map((row) =>
          row.kind === "silence" ? (
            <SilenceRow key={row.key} lasted={row.lasted} />
          ) : row.kind === "moment" ? (
            <MomentRow
              key={row.key}
              moment={row.moment}
              from={start}
              to={addresses(row.moment)}
              watch={watch(row.moment.at)}
              isCurrent={row.moment.id === current?.id}
              point={point}
            />
          ) : null,
        )}
      </ol>
    </>
  );
}

const recordedOf = ({ start_timestamp, end_timestamp }: Replay, start: number) => ({
  from: start_timestamp - start,
  to: end_timestamp - start,
});

/** Where a moment is told in full: an event in its issue, an entry among the logs around it. */
function addressesOf(project: number, trace: string, errors: EventSummary[], start: number) {
  const events = new Map(errors.map(({ event_id, issue_id }) => [`event-${event_id}`, { event_id, issue_id }]));
  return ({ id, entry, at }: Moment): string | undefined => {
    const event = events.get(id);
    if (event) return paths.issue(project, event.issue_id, event.event_id);
    if (entry === undefined) return undefined;
    const [before, after] = [-around, around].map((ms) => new Date(start + at + ms).toISOString());
    return paths.logs(project, { query: term("trace", trace), from: before, to: after, entry });
  };
}

/** What of the logs is shown around an entry, in milliseconds. */
const around = 5 * 60_000;

function show({ id }: Moment): void {
  const row = document.getElementById(id);
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
}
