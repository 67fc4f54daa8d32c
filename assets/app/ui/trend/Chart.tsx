import { type KeyboardEvent, useState } from "react";
import { counted, exact } from "../format.ts";
import { type Bar, barTime, totalWords } from "./bars.ts";
import { beginningOf, type Mark, markWords, type TurnMark } from "./marks.ts";
import classes from "./Trend.module.css";

const height = 100;

interface ChartProps {
  bars: Bar[];
  by: "hour" | "day";
  words: string;
  marks: Mark[];
  turns: TurnMark[];
}

/** Thin bars over a zero line. The arrow keys select bars to be read out. */
export function Chart({ bars: drawn, by, words, marks, turns }: ChartProps) {
  const [chosen, setChosen] = useState<number>();
  const most = Math.max(1, ...drawn.map((bar) => bar.count));
  const sum = drawn.reduce((total, bar) => total + bar.count, 0);
  const last = drawn.length - 1;
  const bar = chosen === undefined ? undefined : drawn[Math.min(chosen, last)];
  const happened = bar ? markWords([...marks, ...turns], drawn.indexOf(bar)) : "";
  const beginning = beginningOf(turns);
  const isBefore = bar !== undefined && bar.count === 0 && drawn.indexOf(bar) < (beginning?.bar ?? 0);
  const reading = bar
    ? `${isBefore ? "Before the first event" : counted(bar.count, "event")}, ${barTime(bar, by)}${happened === "" ? "" : `; ${happened}`}`
    : totalWords(drawn, words);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -24,
      PageUp: 24,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || last < 0) return;
    event.preventDefault();
    setChosen((now) => Math.min(last, Math.max(0, (now ?? (step < 0 ? last + 1 : last)) + step)));
  };
  return (
    <div className={classes.chart}>
      <p className={classes.said}>
        <span className="number">{reading}</span>
        <span className="number">{most > 1 || sum > 0 ? `peak ${exact(most)}` : ""}</span>
      </p>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={`Events in ${words}, by ${by}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.min(chosen ?? last, Math.max(0, last))}
        aria-valuetext={reading}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(undefined)}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          setChosen(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * drawn.length))));
        }}
        onPointerLeave={() => setChosen(undefined)}
      >
        <Bars bars={drawn} most={most} chosen={chosen} marks={marks} turns={turns} />
      </div>
      <p className={classes.axis}>
        {drawn.length > 0 && (
          <>
            <span>{barTime(drawn[0] as Bar, "day")}</span>
            <span>{by === "day" ? "today" : "now"}</span>
          </>
        )}
      </p>
    </div>
  );
}

interface BarsProps {
  bars: Bar[];
  most: number;
  chosen: number | undefined;
  marks: Mark[];
  turns: TurnMark[];
}

function Bars({ bars: drawn, most, chosen, marks, turns }: BarsProps) {
  const gap = drawn.length > 60 ? 1 : 2;
  const step = 6;
  // What is empty because nothing could happen there does not look like quiet hours.
  const before = beginningOf(turns)?.at ?? 0;
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${Math.max(1, drawn.length) * step} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {before > 0 && <rect className={classes.before} x={0} y={0} width={before * step} height={height} />}
      {drawn.map(({ count, start }, at) => {
        // A count above zero always has a visible bar.
        const tall = count === 0 ? 0 : Math.max(3, (count / most) * height);
        return (
          <g key={start} className={at === chosen ? classes.chosen : undefined}>
            {at === chosen && <rect className={classes.column} x={at * step} y={0} width={step} height={height} />}
            <rect className={classes.bar} x={at * step + gap / 2} y={height - tall} width={step - gap} height={tall} />
          </g>
        );
      })}
      {marks.map(({ deploy, at }) => (
        <line key={deploy.id} className={classes.mark} x1={at * step} x2={at * step} y1={0} y2={height} />
      ))}
      {turns.map(({ turn, at }) => (
        <line key={turn.time} className={classes.turn} x1={at * step} x2={at * step} y1={0} y2={height} />
      ))}
    </svg>
  );
}
