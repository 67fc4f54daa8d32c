import type { DayUsage, InstanceUsage } from "../../../api/schema.d.ts";
import { bytes, counted, day } from "../../../ui/format.ts";
import classes from "./Usage.module.css";

/** The most days that fit side by side. */
const daysMost = 60;
const height = 64;
const step = 8;

/** How the data directory grew, a bar for each day. */
export function Growth({ usage }: { usage: InstanceUsage }) {
  const days = usage.history.slice(-daysMost);
  return (
    <section aria-labelledby="usage-growth" className={classes.part}>
      <h3 id="usage-growth">Growth</h3>
      <p>{growthWords(usage)}</p>
      {days.length > 1 && <Chart days={days} />}
    </section>
  );
}

function Chart({ days }: { days: DayUsage[] }) {
  const top = Math.max(1, ...days.map((each) => each.bytes));
  const [first, last] = [days[0], days.at(-1)];
  const words = `Size on each of ${counted(days.length, "day")}: ${bytes(first?.bytes ?? 0)} on ${dateOf(first)}, ${bytes(last?.bytes ?? 0)} on ${dateOf(last)}`;
  return (
    <figure className={classes.chart}>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        style={{ maxWidth: `${days.length * 2}rem` }}
      >
        {days.map((each, index) => {
          const tall = Math.max(1, (each.bytes / top) * height);
          return (
            <rect key={each.day} x={index * step} y={height - tall} width={step - 1} height={tall}>
              <title>{`${dateOf(each)}: ${bytes(each.bytes)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className={classes.about}>
        {dateOf(first)} to {dateOf(last)}, at most {bytes(top)}
      </figcaption>
    </figure>
  );
}

const dateOf = (of: DayUsage | undefined): string => (of ? day(Date.parse(`${of.day}T12:00:00Z`)) : "unknown");

/** The consequence of the growth of the last days. */
export function growthWords({
  growth_bytes_per_day: growth,
  full_in_days: full,
  free_bytes: free,
}: Pick<InstanceUsage, "growth_bytes_per_day" | "full_in_days" | "free_bytes">): string {
  const room = `${bytes(free)} are free on its disk.`;
  if (growth === null) return `${room} How it grows is shown once there are figures for two days.`;
  if (growth <= 0) return `${room} It has not grown in the last days.`;
  if (full === null) return `${room} It grows by ${bytes(growth)} a day.`;
  const when = full === 0 ? "within a day" : `in about ${counted(full, "day")}`;
  return `${room} It grows by ${bytes(growth)} a day: at this pace, nothing more can be accepted ${when}.`;
}
