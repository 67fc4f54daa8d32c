import { type KeyboardEvent, memo, type PointerEvent, useMemo } from "react";
import type { Level } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";
import { apart } from "../details/crumbs.ts";
import classes from "./Axis.module.css";
import { currentOf, type Lane, lanesOf, laneWords, type Moment, nextOf, placeWords, type Span } from "./moments.ts";

interface Props {
  label: string;
  /** What is there before somebody points anywhere. */
  start: string;
  moments: readonly Moment[];
  span: Span;
  at: number | undefined;
  /** The pointer is over a time. */
  point: (at: number) => void;
  /** Somebody presses there, or goes there by the keyboard. */
  choose?: (at: number) => void;
  /** What of the axis a replay shows; nothing where there is none. */
  recorded?: Span | undefined;
  /** Lines through all lanes. */
  events: readonly { at: number; level: Level }[];
}

/** A lane for each source on one axis of time: pointing at a time, or an arrow key, goes there. */
export function TimeAxis({ label, start, moments, span, at, point, choose = point, recorded, events }: Props) {
  const lanes = useMemo(() => lanesOf(moments), [moments]);
  const current = at === undefined ? undefined : currentOf(moments, at);
  const timeOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    return span.from + share * (span.to - span.from);
  };
  const move = (pressed: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[pressed.key] as 1 | -1 | undefined;
    if (!direction) return;
    pressed.preventDefault();
    const next = nextOf(moments, at ?? 0, direction);
    if (next) choose(next.at);
  };
  return (
    <div className={classes.axis}>
      <div className={classes.names} aria-hidden>
        {recorded && <span>Replay</span>}
        {lanes.map((lane) => (
          <span key={lane}>{laneWords[lane]}</span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={Math.round(span.from)}
        aria-valuemax={Math.round(span.to)}
        aria-valuenow={Math.round(Math.min(span.to, Math.max(span.from, at ?? 0)))}
        aria-valuetext={current ? saidOf(current) : start}
        className={classes.lines}
        onPointerMove={(event) => (event.buttons === 1 ? choose : point)(timeOf(event))}
        onPointerDown={(event) => choose(timeOf(event))}
        onKeyDown={move}
      >
        {recorded && <Recorded recorded={recorded} span={span} />}
        {lanes.map((lane) => (
          <Line
            key={lane}
            lane={lane}
            moments={moments}
            span={span}
            current={current?.lane === lane ? current.id : ""}
          />
        ))}
        {events.map((event, index) => (
          <span
            key={index}
            className={classes.event}
            data-level={event.level}
            style={{ left: shareOf(event.at, span) }}
          />
        ))}
        {at !== undefined && at >= span.from && at <= span.to && (
          <span className={classes.head} style={{ left: shareOf(at, span) }} />
        )}
      </div>
    </div>
  );
}

const shareOf = (time: number, { from, to }: Span): string => `${(100 * (time - from)) / (to - from)}%`;

interface LineProps {
  lane: Lane;
  moments: readonly Moment[];
  span: Span;
  /** The id of the moment that one looks at, if it is on this line. */
  current: string;
}

/** What is on a lane: not drawn anew while a player moves on to the next moment. */
const Line = memo(function Line({ lane, moments, span, current }: LineProps) {
  return (
    <div className={classes.line} data-lane={lane}>
      {moments
        .filter((moment) => moment.lane === lane && moment.at >= span.from && moment.at <= span.to)
        .map((moment) => (
          <Mark key={moment.id} moment={moment} isCurrent={moment.id === current} span={span} />
        ))}
    </div>
  );
});

/** When something was, after a bar for as long as it took: a bar, a triangle for warnings, a diamond for errors. */
function Mark({ moment, isCurrent, span }: { moment: Moment; isCurrent: boolean; span: Span }) {
  const { at, lasted, tone } = moment;
  return (
    <>
      {lasted !== undefined && (
        <span
          className={classes.lasted}
          data-tone={tone}
          style={{ left: shareOf(Math.max(span.from, at - lasted), span), right: `calc(100% - ${shareOf(at, span)})` }}
        />
      )}
      <span
        className={classes.mark}
        data-tone={tone}
        data-current={isCurrent || undefined}
        style={{ left: shareOf(at, span) }}
      />
    </>
  );
}

/** What of the axis the replay shows. */
function Recorded({ recorded, span }: { recorded: Span; span: Span }) {
  const from = Math.max(span.from, recorded.from);
  const to = Math.min(span.to, recorded.to);
  return (
    <div className={classes.line} data-lane="replay">
      {from < to && (
        <span
          className={classes.recorded}
          style={{ left: shareOf(from, span), right: `calc(100% - ${shareOf(to, span)})` }}
        />
      )}
    </div>
  );
}

const saidOf = (moment: Moment): string =>
  `${apart(moment.at)}: ${placeWords(moment)}, ${oneLine(moment.words).slice(0, 300)}`;
