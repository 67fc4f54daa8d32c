import { counted, exact } from "./format.ts";
import classes from "./Sparkline.module.css";
import { barHeight, peakOf } from "./bars.ts";

const height = 24;
const step = 4;

/** The outline of a bar. */
const bar = (place: number, tall: number) => `M${place * step} ${height}v${-tall}h${step - 1}v${tall}z`;

interface Props {
  counts: number[];
  /** The count at the top of the chart: the same for all charts in a column. */
  scale?: number;
  label?: string;
  /** The length of a bar in time. */
  unit?: string;
}

/** Events over time as thin bars, the newest on the right; described in words on hover, and for screen readers. */
export function Sparkline({ counts, scale = 0, label = "in the last 24 hours", unit = "hour" }: Props) {
  const peak = peakOf(counts);
  const top = Math.max(scale, peak);
  const sum = counts.reduce((total, count) => total + count, 0);
  const words =
    sum === 0 ? `No events ${label}` : `${counted(sum, "event")} ${label}, ${exact(peak)} in the busiest ${unit}`;
  // All bars of a colour are one path, because a list has hundreds of them.
  const bars = (isMeant: (count: number) => boolean) =>
    counts.map((count, hour) => (isMeant(count) ? bar(hour, barHeight(count, top, height)) : "")).join("");
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path className={classes.none} d={bars((count) => count === 0)} />
      <path className={classes.some} d={bars((count) => count > 0)} />
    </svg>
  );
}
