import { CircleAlert, CornerDownRight, MousePointerClick } from "lucide-react";
import { type PointerEvent, useMemo, useState } from "react";
import { oneLine } from "../../../ui/visible.ts";
import { effortWords } from "../data/efforts.ts";
import { gapWords } from "../data/gaps.ts";
import { idleOf, type Summary } from "../data/summary.ts";
import type { Lane, LaneName } from "./lanes.ts";
import { Lanes } from "./Lanes.tsx";
import { barsOf, type Marker, markersOf, type Moment, type MomentKind } from "./moments.ts";
import type { Playing } from "./player.ts";
import { spoken, timecode } from "./timecode.ts";
import classes from "./Timeline.module.css";

interface Props {
  summary: Summary;
  moments: Moment[];
  playing: Playing;
  lanes: Lane[];
  /** The lane whose list is open beside the player. */
  lane: LaneName | undefined;
  choose: (lane: LaneName) => void;
  isLoading: boolean;
  seek: (at: number) => void;
}

/** Bars of the histogram; of a short replay, one for each second. */
const barsMost = 120;
const barsLeast = 10;
/** Errors are drawn above all others, plain clicks below. */
const shown: readonly MomentKind[] = ["click", "page", "dead", "rage", "error"];

/** The time axis with activity, events and the player's position; a press seeks. */
export function Timeline({ summary, moments, playing: { at }, lanes, lane, choose, isLoading, seek }: Props) {
  const { duration, efforts, gaps } = summary;
  const [hover, setHover] = useState<number>();
  const barCount = Math.min(barsMost, Math.max(barsLeast, Math.ceil(duration / 1_000)));
  const bars = useMemo(() => barsOf(summary.activity, duration, barCount), [summary, duration, barCount]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the summary is added to in place
  const idle = useMemo(() => idleOf(summary), [summary, duration]);
  const markers = useMemo(() => markersOf(moments, duration), [moments, duration]);
  const share = (time: number) => `${(100 * Math.min(time, duration)) / Math.max(1, duration)}%`;
  const timeOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * duration;
  };
  return (
    <div className={classes.axis}>
      <span className={classes.name}>Activity</span>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={0}
        aria-valuemax={Math.round(Math.max(at, duration) / 1_000)}
        aria-valuenow={Math.round(at / 1_000)}
        aria-valuetext={`${spoken(at)} of ${spoken(Math.max(at, duration))}`}
        aria-busy={isLoading || undefined}
        className={classes.track}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          seek(timeOf(event));
        }}
        onPointerMove={(event) => {
          setHover(timeOf(event));
          if (event.buttons === 1) seek(timeOf(event));
        }}
        onPointerLeave={() => setHover(undefined)}
      >
        {idle.map(([from, to]) => (
          <span
            key={from}
            className={classes.idle}
            data-idle
            title={`Nothing done for ${spoken(to - from)}`}
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
        {efforts.map((effort) => (
          <span
            key={effort.at}
            className={classes.effort}
            data-effort={effort.how}
            title={effortWords(effort)}
            style={{ left: share(effort.at), width: share((effort.to ?? duration) - effort.at) }}
          />
        ))}
        {gaps.map((gap) => (
          <span
            key={`${gap.first} ${gap.pieces?.[0]}`}
            className={classes.gap}
            data-gap
            title={gapWords(gap)}
            style={{ left: `min(${share(gap.at)}, 100% - var(--ring))`, width: share((gap.to ?? duration) - gap.at) }}
          />
        ))}
        <svg className={classes.bars} viewBox={`0 0 ${barCount} 1`} preserveAspectRatio="none" aria-hidden>
          {bars.map((bar, index) => (
            <rect key={index} x={index + 0.1} width={0.8} y={1 - bar} height={bar} />
          ))}
        </svg>
        <span className={classes.past} style={{ width: share(at) }} />
      </div>
      <div className={classes.markers}>
        {shown.flatMap((kind) =>
          markers
            .filter((marker) => marker.kind === kind)
            .map((marker) => <Mark key={`${kind} ${marker.at}`} marker={marker} left={share(marker.at)} seek={seek} />),
        )}
      </div>
      <Lanes
        lanes={lanes}
        lane={lane}
        choose={choose}
        point={(event) => setHover(event && timeOf(event))}
        seek={(event) => seek(timeOf(event))}
      />
      <div className={classes.over} style={{ gridRow: `1 / span ${lanes.length + 2}` }}>
        {hover !== undefined && (
          <span className={classes.hover} style={{ left: share(hover) }}>
            <span className={classes.time} style={{ transform: `translateX(-${share(hover)})` }}>
              {timecode(hover)}
            </span>
          </span>
        )}
        <span className={classes.head} style={{ left: share(at) }} />
      </div>
    </div>
  );
}

const icons = { error: CircleAlert, page: CornerDownRight, rage: MousePointerClick, dead: MousePointerClick };

/** Plain clicks are numerous, so the keyboard skips them. */
function Mark({
  marker: { at, kind, words, count },
  left,
  seek,
}: {
  marker: Marker;
  left: string;
  seek: (at: number) => void;
}) {
  if (kind === "click") return <span className={classes.dot} data-kind={kind} style={{ left }} />;
  const Icon = icons[kind];
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const label = `${names[kind]} at ${timecode(at)}: ${oneLine(words).slice(0, 200)}${more}`;
  return (
    <button
      type="button"
      className={classes.mark}
      data-kind={kind}
      style={{ left }}
      aria-label={label}
      title={label}
      onClick={() => seek(at)}
    >
      <Icon aria-hidden />
    </button>
  );
}

const names: Record<Exclude<MomentKind, "click">, string> = {
  error: "Error",
  page: "Page",
  rage: "Rage clicks",
  dead: "Dead click",
};
