import { memo } from "react";
import { secondOfDay, timeOfDay } from "../../ui/format.ts";
import classes from "./Timeline.module.css";
import { type Lane, laneNames, lanes, type Mark, markWords, type Timeline as Found, totalWords } from "./timeline.ts";

interface Props {
  of: Found;
  /** Shows the entry in the transcript. */
  open: (id: number) => void;
}

/** The events of a session: a lane for each kind, on one time axis. */
export const Timeline = memo(function Timeline({ of, open }: Props) {
  const { marks, totals } = of;
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return null;
  const start = Math.min(...marks.map(({ from }) => from));
  const span = Math.max(1_000, Math.max(...marks.map(({ to }) => to)) - start);
  // Two equal labels would be useless.
  const endOf = timeOfDay(start) === timeOfDay(start + span) ? secondOfDay : timeOfDay;
  const used = lanes.filter((lane) => marks.some((mark) => mark.lane === lane));
  return (
    <section aria-label="Timeline" className={classes.timeline}>
      <p className="muted">{totalWords(totals).join(", ")}</p>
      {used.map((lane) => (
        <Row
          key={lane}
          lane={lane}
          marks={marks.filter((mark) => mark.lane === lane)}
          axis={{ start, span }}
          open={open}
        />
      ))}
      <div className={classes.axis} aria-hidden="true">
        <span>{endOf(start)}</span>
        <span>{endOf(start + span)}</span>
      </div>
    </section>
  );
});

interface RowProps {
  lane: Lane;
  marks: Mark[];
  axis: { start: number; span: number };
  open: (id: number) => void;
}

function Row({ lane, marks, axis, open }: RowProps) {
  return (
    <div className={classes.lane}>
      <span className={classes.laneName}>{laneNames[lane]}</span>
      <div className={classes.marks}>
        {marks.map((mark) => (
          <button
            key={mark.id}
            type="button"
            className={classes.mark}
            data-lane={lane}
            data-bad={mark.isBad || undefined}
            style={{
              // The last one ends where the lane does.
              left: `min(${((mark.from - axis.start) / axis.span) * 100}%, 100% - var(--mark))`,
              width: `${((mark.to - mark.from) / axis.span) * 100}%`,
            }}
            title={markWords(mark, 200)}
            aria-label={markWords(mark, 80)}
            onClick={() => open(mark.id)}
          />
        ))}
      </div>
    </div>
  );
}
