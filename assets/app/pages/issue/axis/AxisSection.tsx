import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useMemo } from "react";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { differenceOf } from "../../replay/data/clock.ts";
import { apart } from "../details/crumbs.ts";
import { Section } from "../details/Section.tsx";
import { traceLogsQuery } from "../logs/queries.ts";
import { around } from "../logs/timeline.ts";
import { useAxis } from "./context.ts";
import { eventWord } from "./event-word.ts";
import { currentOf, type Moment, momentsOf, spanOf } from "./moments.ts";
import { MomentLine } from "./MomentLine.tsx";
import { TimeAxis } from "./TimeAxis.tsx";

const noLogs: LogEntry[] = [];

interface Props {
  event: Event;
  /** A button that opens the replay's player on this page, at a time. */
  opener?: ComponentType<{ at: number }>;
}

/** What the sections below tell of, on one axis of time: moving along it moves all of them. */
export function AxisSection({ event, opener: Opener }: Props) {
  const word = eventWord(event.level);
  const { at, point, choose, sides, clocks, replay, watch, here } = useAxis();
  const logs = useQuery({ ...traceLogsQuery(event, sides), enabled: !!event.trace_id });
  const entries = logs.data?.logs ?? noLogs;
  const moments = useMemo(() => momentsOf(event, entries, clocks), [event, entries, clocks]);
  const span = useMemo(() => spanOf(moments), [moments]);
  if (moments.length === 0 && !(Opener && replay)) return null;
  const current = at === undefined ? undefined : currentOf(moments, at);
  const time = Date.parse(event.timestamp);
  return (
    <Section id="timeline" title="Timeline" note={`${apart(span.from)} to ${apart(span.to)} from this ${word}`}>
      <TimeAxis
        label={`Time around this ${word}`}
        start={`This ${word}`}
        moments={moments}
        span={span}
        at={at}
        point={point}
        choose={choose}
        recorded={replay && { from: replay.start_timestamp - time, to: replay.end_timestamp - time }}
        events={[{ at: 0, level: event.level }]}
      />
      <MomentLine moment={current} show={show} watch={watch(current?.at ?? 0)} start="the event">
        {Opener && replay && !here.sent && <Opener at={current?.at ?? 0} />}
      </MomentLine>
      {clocks.lag !== 0 && (
        <p className="muted">
          {differenceOf(clocks.lag)}; {linedUp(clocks.lag)}.
        </p>
      )}
    </Section>
  );
}

/** Logs are asked for by the time of the event, some minutes around it. */
const linedUp = (lag: number): string =>
  Math.abs(lag) < around ? "logs of both are lined up here" : "logs of only one of them are found here";

/** Goes to the row of a moment; where that is not among those shown, to its section. */
function show({ id, lane }: Moment): void {
  const section = lane === "logs" ? "section-logs" : "section-breadcrumbs";
  const row = document.getElementById(id) ?? document.getElementById(section);
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
}
