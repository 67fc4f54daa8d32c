import { Time } from "../Time.tsx";
import type { TurnMark } from "./marks.ts";
import classes from "./Trend.module.css";

/** Turns that are named; the others are on the chart alone. */
const named = 3;

/** The last turns of a chart in words: what its whole lines stand for. */
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
