import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useMemo } from "react";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";
import { apart } from "../details/crumbs.ts";
import { Section } from "../details/Section.tsx";
import { traceLogsQuery } from "../logs/queries.ts";
import classes from "./Axis.module.css";
import { eventWord } from "./event-word.ts";
import { useAxis } from "./context.ts";
import { currentOf, type Lane, type Moment, momentsOf, nextOf, type Span, spanOf } from "./moments.ts";

const noLogs: LogEntry[] = [];
const laneWords: Record<Lane, string> = { breadcrumbs: "Breadcrumbs", logs: "Logs" };
const lanes: Lane[] = ["breadcrumbs", "logs"];

/** A time axis for the sections below: moving along it scrolls all of them. */
export function AxisSection({ event }: { event: Event }) {
  const word = eventWord(event.level);
  const { at, point, sides, replay } = useAxis();
  const logs = useQuery({ ...traceLogsQuery(event, sides), enabled: !!event.trace_id });
  const entries = logs.data?.logs ?? noLogs;
  const moments = useMemo(() => momentsOf(event, entries), [event, entries]);
  const span = useMemo(() => spanOf(moments), [moments]);
  if (moments.length === 0) return null;
  const current = at === undefined ? undefined : currentOf(moments, at);
  const shareOf = (time: number) => `${(100 * (time - span.from)) / (span.to - span.from)}%`;
  const pointed = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    point(span.from + share * (span.to - span.from));
  };
  const move = (pressed: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[pressed.key] as 1 | -1 | undefined;
    if (!direction) return;
    pressed.preventDefault();
    const next = nextOf(moments, at ?? 0, direction);
    if (next) point(next.at);
  };
  return (
    <Section id="timeline" title="Timeline" note={`${apart(span.from)} to ${apart(span.to)} from this ${word}`}>
      <div className={classes.axis}>
        <div className={classes.names} aria-hidden>
          {replay && <span>Replay</span>}
          {lanes.map((lane) => (
            <span key={lane}>{laneWords[lane]}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`Time around this ${word}`}
          aria-valuemin={Math.round(span.from)}
          aria-valuemax={Math.round(span.to)}
          aria-valuenow={Math.round(at ?? 0)}
          aria-valuetext={current ? saidOf(current) : `This ${word}`}
          className={classes.lines}
          onPointerMove={pointed}
          onPointerDown={pointed}
          onKeyDown={move}
        >
          {replay && <Recorded event={event} span={span} shareOf={shareOf} />}
          {lanes.map((lane) => (
            <div key={lane} className={classes.line} data-lane={lane}>
              {marksOf(moments, lane, span).map(({ id, at: time, tone }) => (
                <span
                  key={id}
                  className={classes.mark}
                  data-tone={tone}
                  data-current={id === current?.id || undefined}
                  style={{ left: shareOf(time) }}
                />
              ))}
            </div>
          ))}
          <span className={classes.event} data-level={event.level} style={{ left: shareOf(0) }} />
          {at !== undefined && <span className={classes.head} style={{ left: shareOf(at) }} />}
        </div>
      </div>
      <Said moment={current} />
    </Section>
  );
}

const saidOf = ({ at, lane, words }: Moment): string =>
  `${apart(at)}: ${laneWords[lane]}, ${oneLine(words).slice(0, 300)}`;

/** Those of a lane that the axis shows. */
const marksOf = (moments: readonly Moment[], lane: Lane, { from, to }: Span): Moment[] =>
  moments.filter((moment) => moment.lane === lane && moment.at >= from && moment.at <= to);

/** The part of the axis that the replay covers. */
function Recorded({ event, span, shareOf }: { event: Event; span: Span; shareOf: (at: number) => string }) {
  const { replay } = useAxis();
  if (!replay) return null;
  const time = Date.parse(event.timestamp);
  const from = Math.max(span.from, replay.start_timestamp - time);
  const to = Math.min(span.to, replay.end_timestamp - time);
  return (
    <div className={classes.line} data-lane="replay">
      {from < to && (
        <span className={classes.recorded} style={{ left: shareOf(from), right: `calc(100% - ${shareOf(to)})` }} />
      )}
    </div>
  );
}

/** The current moment, with links to its row and into the replay. */
function Said({ moment }: { moment: Moment | undefined }) {
  const { watch } = useAxis();
  const address = watch(moment?.at ?? 0);
  return (
    <p className={classes.said}>
      {moment ? (
        <button type="button" className={classes.moment} onClick={() => show(moment)}>
          <span className={classes.time}>{apart(moment.at)}</span>
          <span className="muted">{laneWords[moment.lane]}</span>
          <bdi className="cut">{oneLine(moment.words).slice(0, 300)}</bdi>
        </button>
      ) : (
        <span className="muted">Point at a time, or move with the arrow keys.</span>
      )}
      {address && (
        <Link to={address} className={classes.watch}>
          <Play size="1em" aria-hidden /> Watch {moment ? "this moment" : "the event"}
        </Link>
      )}
    </p>
  );
}

/** Scrolls to the row of a moment, or to its section if the row is not shown. */
function show({ id, lane }: Moment): void {
  const row = document.getElementById(id) ?? document.getElementById(`section-${lane}`);
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
}
