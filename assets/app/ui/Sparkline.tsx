import { counted, exact } from "./format.ts";
import classes from "./Sparkline.module.css";
import { barHeight, peakOf } from "./bars.ts";

const height = 24;
const step = 4;

interface Props {
  counts: number[];
  /** The count that reaches the top: the same for all charts that stand above each other. */
  scale?: number;
  label?: string;
}

/** Events an hour as thin bars, the newest at the right; told in words on hover, and to screen readers. */
export function Sparkline({ counts, scale = 0, label = "in the last 24 hours" }: Props) {
  const peak = peakOf(counts);
  const top = Math.max(scale, peak);
  const sum = counts.reduce((total, count) => total + count, 0);
  const words =
    sum === 0 ? `No events ${label}` : `${counted(sum, "event")} ${label}, ${exact(peak)} in the busiest hour`;
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {counts.map((count, hour) => {
        const tall = barHeight(count, top, height);
        return (
          <rect
            key={hour}
            className={count === 0 ? classes.none : classes.some}
            x={hour * step}
            y={height - tall}
            width={step - 1}
            height={tall}
          />
        );
      })}
    </svg>
  );
}
