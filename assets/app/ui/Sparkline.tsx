import { exact } from "./format.ts";
import classes from "./Sparkline.module.css";

const height = 24;
const step = 4;

/** Events an hour as thin bars, the newest at the right; told in words to screen readers. */
export function Sparkline({ counts, label = "events in the last 24 hours" }: { counts: number[]; label?: string }) {
  const most = Math.max(1, ...counts);
  const sum = counts.reduce((total, count) => total + count, 0);
  const words = `${exact(sum)} ${label}, at most ${exact(most)} in an hour`;
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sum === 0 ? `no ${label}` : words}
    >
      {counts.map((count, hour) => {
        // Something is never drawn as nothing.
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * height);
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
