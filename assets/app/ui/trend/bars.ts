// Groups the server's hourly counts into the bars of a chart.

import { counted } from "../format.ts";

const hour = 3_600_000;

export const spans = {
  "24h": { hours: 24, by: "hour", words: "the last 24 hours" },
  "7d": { hours: 168, by: "hour", words: "the last 7 days" },
  "30d": { hours: 720, by: "day", words: "the last 30 days" },
} as const;
export type Span = keyof typeof spans;

/** The period with so many hours. */
export const spanOf = (counts: readonly number[]): Span | undefined =>
  (Object.keys(spans) as Span[]).find((span) => spans[span].hours === counts.length);

export interface Bar {
  /** The start and end of the bar, in milliseconds. */
  start: number;
  end: number;
  count: number;
}

/** One bar per hour, or per day in the person's time zone. */
export function bars(start: number, counts: number[], by: "hour" | "day"): Bar[] {
  const hours = counts.map((count, at) => ({ start: start + at * hour, end: start + (at + 1) * hour, count }));
  if (by === "hour") return hours;
  const days: Bar[] = [];
  let last: string | undefined;
  for (const each of hours) {
    const day = dayOf(each.start);
    const open = days.at(-1);
    if (open && day === last) {
      open.end = each.end;
      open.count += each.count;
    } else days.push({ ...each });
    last = day;
  }
  return days;
}

const dayOf = (time: number): string => {
  const date = new Date(time);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
};

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

/** The period of a bar, in the person's zone: `Sat 21 Nov, 14:00–15:00`, or only the day. */
export const barTime = ({ start, end }: Bar, by: "hour" | "day"): string =>
  by === "day" ? date.format(start) : `${date.format(start)}, ${clock.format(start)}–${clock.format(end)}`;

/** How many events the bars stand for; nothing until there are bars. */
export const totalWords = (drawn: Bar[], words: string): string =>
  drawn.length === 0
    ? ""
    : `${counted(
        drawn.reduce((total, bar) => total + bar.count, 0),
        "event",
      )} in ${words}`;
