import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { apart } from "../details/crumbs.ts";
import { Section } from "../details/Section.tsx";
import { traceLogsQuery } from "../logs/queries.ts";
import { useAxis } from "./context.ts";
import { eventWord } from "./event-word.ts";
import { currentOf, type Moment, momentsOf, spanOf } from "./moments.ts";
import { Said } from "./Said.tsx";
import { TimeAxis } from "./TimeAxis.tsx";

const noLogs: LogEntry[] = [];

/** A time axis for the sections below: moving along it scrolls all of them. */
export function AxisSection({ event }: { event: Event }) {
  const word = eventWord(event.level);
  const { at, point, sides, replay, watch } = useAxis();
  const logs = useQuery({ ...traceLogsQuery(event, sides), enabled: !!event.trace_id });
  const entries = logs.data?.logs ?? noLogs;
  const moments = useMemo(() => momentsOf(event, entries), [event, entries]);
  const span = useMemo(() => spanOf(moments), [moments]);
  if (moments.length === 0) return null;
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
        recorded={replay && { from: replay.start_timestamp - time, to: replay.end_timestamp - time }}
        events={[{ at: 0, level: event.level }]}
      />
      <Said moment={current} show={show} watch={watch(current?.at ?? 0)} start="the event" />
    </Section>
  );
}

/** Goes to the row of a moment; where that is not among those shown, to its section. */
function show({ id, lane }: Moment): void {
  const section = lane === "logs" ? "section-logs" : "section-breadcrumbs";
  const row = document.getElementById(id) ?? document.getElementById(section);
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
}
