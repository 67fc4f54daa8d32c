import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { messageOf } from "../../../api/error.ts";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Sentence } from "../../../ui/Text.tsx";
import { useLate } from "../../../ui/use-late.ts";
import { AxisProvider } from "../axis/AxisProvider.tsx";
import { AxisSection } from "../axis/AxisSection.tsx";
import { useAxis } from "../axis/context.ts";
import { currentOf } from "../axis/moments.ts";
import { nearestIn } from "../axis/watch.ts";
import { traceAddress } from "../logs/address.ts";
import { MoreEntries } from "../logs/MoreEntries.tsx";
import { traceLogsQuery } from "../logs/queries.ts";
import { grown } from "../logs/timeline.ts";
import { EventReplay } from "../replay/EventReplay.tsx";
import { OpenHere } from "../replay/OpenHere.tsx";
import { ReplayHere } from "../replay/ReplayHere.tsx";
import { playedRow, rowsOf } from "./rows.ts";
import { EventRow, MomentRow, SilenceRow } from "./TimelineRow.tsx";
import classes from "./Timeline.module.css";
import { useInSight } from "./use-in-sight.ts";

/** Everything known around an event, on one axis and in one list. */
export default function TimelineTab({ event }: { event: Event }) {
  return (
    <AxisProvider key={event.id} event={event}>
      <div className={classes.tab}>
        <EventReplay event={event} />
        <AxisSection event={event} opener={OpenHere} />
        {event.trace_id && (
          <p className={classes.whole}>
            <Link to={paths.trace(event.project_id, event.trace_id)}>The whole trace</Link>
          </p>
        )}
        <Parts event={event} />
      </div>
    </AxisProvider>
  );
}

/** The list, and beside it the player of the replay once somebody wants that. */
function Parts({ event }: { event: Event }) {
  const { at = 0, replay, here } = useAxis();
  const { sent, moved, close } = here;
  const played = replay && nearestIn(replay, Date.parse(event.timestamp) + at);
  return (
    <div className={classes.parts} data-open={sent !== undefined || undefined}>
      {replay && sent && (
        <ReplayHere
          project={event.project_id}
          replay={replay.replay_id}
          sent={sent}
          at={played ?? sent.to}
          moved={moved}
          close={close}
        />
      )}
      <div className={classes.merged}>
        <Merged event={event} />
      </div>
    </div>
  );
}

const noLogs: LogEntry[] = [];
/** The keyboard scrolls it, too. */
const scrolls = { tabIndex: 0, role: "group", "aria-label": "Timeline, scrollable" };

function Merged({ event }: { event: Event }) {
  const { at, point, watch, sides, setSides, clocks, here, replay } = useAxis();
  const logs = useQuery({ ...traceLogsQuery(event, sides), enabled: !!event.trace_id });
  const late = useLate(logs.isLoading);
  const { offset = 0, total = 0, logs: shown = noLogs } = logs.data ?? {};
  const later = total - offset - shown.length;
  const rows = useMemo(
    () => rowsOf(event, shown, clocks, { before: offset, after: later }),
    [event, shown, clocks, offset, later],
  );
  const moments = useMemo(() => rows.flatMap((row) => (row.kind === "moment" ? row.moment : [])), [rows]);
  const isOpen = here.sent !== undefined;
  const pointed = at === undefined ? undefined : currentOf(moments, at)?.id;
  const current = isOpen && at !== undefined ? playedRow(rows, at)?.key : pointed;
  const go = replay && here.go;
  const box = useRef<HTMLDivElement>(null);
  const scrolled = useInSight(box, current, here.sent);
  const list = useRef<HTMLOListElement>(null);
  const retry = () => {
    // The button goes away.
    list.current?.focus({ preventScroll: true });
    void logs.refetch();
  };
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
          <Button variant="subtle" size="compact-xs" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      <div ref={box} className={classes.box} onScroll={scrolled} {...(isOpen && scrolls)}>
        <ol
          ref={list}
          tabIndex={-1}
          className={classes.rows}
          aria-label="Timeline"
          aria-busy={logs.isPlaceholderData || undefined}
        >
          {rows.map((row) => {
            if (row.kind === "event") {
              const played = { isCurrent: !isOpen || row.key === current, go, isOpen };
              return <EventRow key={row.key} id={row.key} event={event} {...played} />;
            }
            if (row.kind === "silence") return <SilenceRow key={row.key} lasted={row.lasted} />;
            if (row.kind === "more") {
              const wanted = grown(sides[row.side]);
              return (
                <MoreEntries
                  key={row.key}
                  count={row.count}
                  words={row.side === "before" ? "earlier" : "later"}
                  more={() => setSides({ ...sides, [row.side]: wanted })}
                  isAll={sides[row.side] >= wanted}
                />
              );
            }
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
                go={go}
                isOpen={isOpen}
              />
            );
          })}
        </ol>
      </div>
    </>
  );
}
