import { type KeyboardEvent, type PointerEvent, useMemo } from "react";
import type { Level } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";
import { apart } from "../details/crumbs.ts";
import classes from "./Axis.module.css";
import { currentOf, lanesOf, laneWords, type Moment, nextOf, type Span } from "./moments.ts";

interface Props {
  label: string;
  /** What is there before somebody points anywhere. */
  start: string;
  moments: readonly Moment[];
  span: Span;
  at: number | undefined;
  point: (at: number) => void;
  /** What of the axis a replay shows; nothing where there is none. */
  recorded?: Span | undefined;
  /** Lines through all lanes. */
  events: readonly { at: number; level: Level }[];
}

/** A lane for each source on one axis of time: pointing at a time, or an arrow key, goes there. */
export function TimeAxis({ label, start, moments, span, at, point, recorded, events }: Props) {
  const lanes = useMemo(() => lanesOf(moments), [moments]);
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
        aria-valuenow={Math.round(at ?? 0)}
        aria-valuetext={current ? saidOf(current) : start}
        className={classes.lines}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onKeyDown={move}
      >
        {recorded && <Recorded recorded={recorded} span={span} shareOf={shareOf} />}
        {lanes.map((lane) => (
          <div key={lane} className={classes.line} data-lane={lane}>
            {moments
              .filter((moment) => moment.lane === lane && moment.at >= span.from && moment.at <= span.to)
              .map((moment) => (
                <Mark
                  key={moment.id}
                  moment={moment}
                  isCurrent={moment.id === current?.id}
                  span={span}
                  shareOf={shareOf}
                />
              ))}
          </div>
        ))}
        {events.map((event, index) => (
          <span key={index} className={classes.event} data-level={event.level} style={{ left: shareOf(event.at) }} />
        ))}
        {at !== undefined && <span className={classes.head} style={{ left: shareOf(at) }} />}
      </div>
    </div>
  );
}

interface Placed {
  span: Span;
  shareOf: (at: number) => string;
}

/** When something was, after a bar for as long as it took. */
function Mark({ moment, isCurrent, span, shareOf }: Placed & { moment: Moment; isCurrent: boolean }) {
  const { at, lasted, tone } = moment;
  return (
    <>
      {lasted !== undefined && (
        <span
          className={classes.lasted}
          data-tone={tone}
          style={{ left: shareOf(Math.max(span.from, at - lasted)), right: `calc(100% - ${shareOf(at)})` }}
        />
      )}
      <span
        className={classes.mark}
        data-tone={tone}
        data-current={isCurrent || undefined}
        style={{ left: shareOf(at) }}
      />
    </>
  );
}

/** What of the axis the replay shows. */
function Recorded({ recorded, span, shareOf }: Placed & { recorded: Span }) {
  const from = Math.max(span.from, recorded.from);
  const to = Math.min(span.to, recorded.to);
  return (
    <div className={classes.line} data-lane="replay">
      {from < to && (
        <span className={classes.recorded} style={{ left: shareOf(from), right: `calc(100% - ${shareOf(to)})` }} />
      )}
    </div>
  );
}

const saidOf = ({ at, lane, words }: Moment): string =>
  `${apart(at)}: ${laneWords[lane]}, ${oneLine(words).slice(0, 300)}`;
