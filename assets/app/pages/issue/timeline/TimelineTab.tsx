import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../../api/error.ts";
import type { Event } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Sentence } from "../../../ui/Text.tsx";
import { useLate } from "../../../ui/use-late.ts";
import { Around } from "../axis/Around.tsx";
import { AxisSection } from "../axis/AxisSection.tsx";
import { useAxis } from "../axis/context.ts";
import { currentOf } from "../axis/moments.ts";
import { traceAddress } from "../logs/address.ts";
import { MoreEntries } from "../logs/MoreEntries.tsx";
import { traceLogsQuery } from "../logs/queries.ts";
import { grown } from "../logs/timeline.ts";
import { EventReplay } from "../replay/EventReplay.tsx";
import { rowsOf } from "./rows.ts";
import { EventRow, MomentRow, SilenceRow } from "./TimelineRow.tsx";
import classes from "./Timeline.module.css";

/** Everything known around an event, on one axis and in one list. */
export default function TimelineTab({ event }: { event: Event }) {
  return (
    <Around key={event.id} event={event}>
      <div className={classes.tab}>
        <EventReplay event={event} />
        <AxisSection event={event} />
        {event.trace_id && (
          <p>
            <Link to={paths.trace(event.project_id, event.trace_id)}>The whole trace</Link>
          </p>
        )}
        <Merged event={event} />
      </div>
    </Around>
  );
}

function Merged({ event }: { event: Event }) {
  const { at, point, watch, sides, setSides } = useAxis();
  const logs = useQuery({ ...traceLogsQuery(event, sides), enabled: !!event.trace_id });
  const late = useLate(logs.isLoading);
  const rows = rowsOf(event, logs.data?.logs ?? []);
  const moments = rows.flatMap((row) => (row.kind === "moment" ? row.moment : []));
  const current = at === undefined ? undefined : currentOf(moments, at)?.id;
  const { offset = 0, total = 0, logs: shown = [] } = logs.data ?? {};
  return (
    <>
      <p className="muted" role="status">
        {late && "Loading the logs…"}
        {!event.trace_id && "This event has no trace ID, so no log entries belong to it."}
        {logs.isSuccess && moments.length === 0 && "Nothing was recorded around this event."}
      </p>
      {logs.isError && (
        <p role="alert" className={classes.failed}>
          The logs could not be loaded. <Sentence text={messageOf(logs.error)} />{" "}
          <Button variant="subtle" size="compact-xs" onClick={() => void logs.refetch()}>
            Try again
          </Button>
        </p>
      )}
      <ol className={classes.rows} aria-label="Timeline" aria-busy={logs.isPlaceholderData || undefined}>
        <MoreEntries
          count={offset}
          words="earlier"
          more={() => setSides({ ...sides, before: grown(sides.before) })}
          isAll={sides.before >= grown(sides.before)}
        />
        {rows.map((row) => {
          if (row.kind === "event") return <EventRow key={row.key} event={event} />;
          if (row.kind === "silence") return <SilenceRow key={row.key} lasted={row.lasted} />;
          const { moment } = row;
          return (
            <MomentRow
              key={row.key}
              moment={moment}
              from={Date.parse(event.timestamp)}
              to={moment.entry === undefined ? undefined : traceAddress(event, moment.entry)}
              watch={watch(moment.at)}
              isCurrent={moment.id === current}
              point={point}
            />
          );
        })}
        <MoreEntries
          count={total - offset - shown.length}
          words="later"
          more={() => setSides({ ...sides, after: grown(sides.after) })}
          isAll={sides.after >= grown(sides.after)}
        />
      </ol>
    </>
  );
}
