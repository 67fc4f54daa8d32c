// Formats numbers, sizes and times for people; the exact value is always shown on hover.

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1,234,567`. */
export const exact = (count: number): string => whole.format(count);

/** At most five characters: `9,999`, `12.3K`, `1.2M`. */
export const short = (count: number): string => (count < 10_000 ? whole.format(count) : compact.format(count));

/** `1 event`, `2 events`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;

/** `512 B`, `1.4 KiB`, `11.4 MiB`. */
export function bytes(size: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = size;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** How long something took: `340 ms`, `12.3 s`, `4 min 5 s`, `1 h 12 min`. */
export function took(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${exact(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** A share as a whole percentage; a share above zero is never `0%`. */
export function percent(part: number, all: number): string {
  if (all <= 0) return "0%";
  const share = (100 * part) / all;
  if (share > 0 && share < 1) return "<1%";
  if (share > 99 && share < 100) return ">99%";
  return `${Math.round(share)}%`;
}

const steps: [limit: number, size: number, unit: string][] = [
  [60, 1, "s"],
  [3_600, 60, "min"],
  [86_400, 3_600, "h"],
  [30 * 86_400, 86_400, "d"],
  [365 * 86_400, 30 * 86_400, "mo"],
  [Number.POSITIVE_INFINITY, 365 * 86_400, "y"],
];

/** `now`, `12 min ago`, `in 3 h`. Some seconds in the future count as now, because clocks differ a little. */
export function ago(time: number, now: number): string {
  const seconds = (now - time) / 1000;
  const far = Math.abs(seconds);
  if (!Number.isFinite(far)) return "at an unknown time";
  if (far < 5 || (seconds < 0 && far < 30)) return "now";
  const [, size, unit] = steps.find(([limit]) => far < limit) ?? (steps.at(-1) as (typeof steps)[number]);
  const text = `${Math.floor(far / size)} ${unit}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

// Created once, because that takes longer than rendering a row with a time.
const whenExactly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const timeOnly = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const secondOnly = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** In the person's zone: `21 Nov 2026, 14:05:09`. */
export const local = (time: number): string => (Number.isFinite(time) ? whenExactly.format(time) : "unknown");

/** `2026-11-21 14:05:09.123 UTC`. */
export const utc = (time: number): string =>
  Number.isFinite(time) ? `${new Date(time).toISOString().replace("T", " ").replace("Z", "")} UTC` : "unknown";

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

/** In the person's zone, for rows of a log: `21 Nov 14:05:09.123`. */
export const exactMoment = (time: number): string =>
  Number.isFinite(time) ? moment.format(time).replace(/, | at /, " ") : "unknown";

/** In the person's zone: `14:05`. */
export const timeOfDay = (time: number): string => (Number.isFinite(time) ? timeOnly.format(time) : "unknown");

/** In the person's zone: `14:05:09`. */
export const secondOfDay = (time: number): string => (Number.isFinite(time) ? secondOnly.format(time) : "unknown");

/** In the person's zone: `21 Nov 2026`. */
export const day = (time: number): string => (Number.isFinite(time) ? dayOnly.format(time) : "unknown");
