import { Time } from "../Time.tsx";
import type { TurnMark } from "./marks.ts";
import classes from "./Trend.module.css";

/** How many turns are listed; the others are only on the chart. */
const named = 3;

/** The last turns on a chart as text, which explains the chart's solid lines. */
export function TurnList({ marks }: { marks: TurnMark[] }) {
  if (marks.length === 0) return null;
  return (
    <ul className={classes.deploys} aria-label="Marks">
      {marks
        .slice(-named)
        .reverse()
        .map(({ turn: { words, time } }) => (
          <li key={time}>
            <span className={classes.turned} aria-hidden />
            <span>{words}</span>
            <Time at={new Date(time).toISOString()} />
          </li>
        ))}
    </ul>
  );
}
