// Time ranges: milliseconds since the epoch, both ends inclusive, as on the server.

import { local } from "../../ui/format.ts";
import { parseMoment } from "../../ui/moment.ts";
import { found } from "../../ui/rules.ts";
import { type LogSearch, defaultRange, ranges } from "./address.ts";

export interface Bounds {
  start: number;
  end: number;
}

type Times = Pick<LogSearch, "range" | "from" | "to">;

/** The time range of an address at a given moment. */
export function boundsOf({ range, from, to }: Times, now: number): Bounds {
  const length = ranges[range ?? defaultRange].length;
  if (from === undefined && to === undefined) return { start: now - length, end: now };
  const end = to === undefined ? Math.max(now, Date.parse(from ?? "")) : Date.parse(to);
  const start = from === undefined ? end - ranges[defaultRange].length : Date.parse(from);
  // Times in the wrong order are swapped.
  return { start: Math.min(start, end), end: Math.max(start, end) };
}

/** Query parameters for the server. */
export interface Filters {
  search?: string;
  levels?: string;
  environment?: string;
  start_time?: string;
  end_time?: string;
}

type Asked = Pick<LogSearch, "query" | "levels"> & Partial<Pick<LogSearch, "environment">>;

export function filtersOf({ query, levels, environment }: Asked, bounds?: Bounds): Filters {
  return {
    ...(query === undefined ? {} : { search: query }),
    ...(levels === undefined ? {} : { levels }),
    ...(environment === undefined ? {} : { environment }),
    ...(bounds && { start_time: iso(bounds.start), end_time: iso(bounds.end) }),
  };
}

export const iso = (time: number): string => new Date(time).toISOString();

/** A description of the range. */
export function rangeWords({ range, from, to }: Times): string {
  if (from === undefined && to === undefined) return ranges[range ?? defaultRange].label;
  if (to === undefined && Date.parse(from ?? "") === 0) return "All time";
  if (to === undefined) return `Since ${local(Date.parse(from ?? ""))}`;
  return from === undefined
    ? `The day before ${local(Date.parse(to))}`
    : `${local(Date.parse(from))} – ${local(Date.parse(to))}`;
}

/** A custom range, for the address. */
export const custom = ({ start, end }: Bounds): Times => ({ range: undefined, from: iso(start), to: iso(end) });

/** The ends of a range as somebody typed them. */
interface Typed {
  from: string;
  to: string;
}

const read = ({ from, to }: Typed, now: number) => [parseMoment(from, now), parseMoment(to, now)] as const;

/** What is wrong with typed ends, by field. */
export function typedProblems(typed: Typed, now: number): Partial<Record<keyof Typed, string>> {
  const [start, end] = read(typed, now);
  const isTurned = start !== undefined && end !== undefined && end < start;
  const unread = (time?: number) => (time === undefined ? "Such as 21 Nov 2026, 14:05 or 2 h ago." : undefined);
  return found({ from: unread(start), to: isTurned ? "Must be after “From”" : unread(end) });
}

/** The range of typed ends, with the whole of its last second; `undefined` if something is wrong with them. */
export function typedBounds(typed: Typed, now: number): Bounds | undefined {
  const [start, end] = read(typed, now);
  return start === undefined || end === undefined || end < start ? undefined : { start, end: end + 999 };
}

/** Three times as long around the same centre, but never beyond now. */
export function widened({ start, end }: Bounds, now: number): Bounds {
  const length = Math.max(end - start, 1_000);
  const last = Math.min(end + length, Math.max(now, end));
  return { start: Math.max(0, last - 3 * length), end: last };
}

const dayForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const timeForm = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const secondForm = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** One or two times, as precise as a range of this length needs: `21 Nov 14:05 – 14:20`. */
export function spanWords({ start, end }: Bounds, length = end - start): string {
  const form = length < 10 * 60_000 ? secondForm : timeForm;
  const [from, to] = [start, end].map((time) => ({ day: dayForm.format(time), time: form.format(time) })) as [
    DayAndTime,
    DayAndTime,
  ];
  if (from.day !== to.day) return `${from.day} ${from.time} – ${to.day} ${to.time}`;
  return from.time === to.time ? `${from.day} ${from.time}` : `${from.day} ${from.time} – ${to.time}`;
}

interface DayAndTime {
  day: string;
  time: string;
}
