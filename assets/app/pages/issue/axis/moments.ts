// Combines what happened around an error, from several sources, on one time axis.

import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { type CrumbKind, crumbWords } from "../details/crumb-words.ts";
import { around } from "../logs/timeline.ts";

export type Lane = "breadcrumbs" | "logs";
export type Tone = "plain" | "warning" | "error";

/** Something that happened at a known time. */
export interface Moment {
  /** Milliseconds after the error; before it, below zero. */
  at: number;
  lane: Lane;
  /** Of its row on the page. */
  id: string;
  words: string;
  /** The category of a breadcrumb, or the level and logger of a log entry. */
  about: string;
  /** Of a breadcrumb. */
  kind?: CrumbKind;
  /** Of a log entry, in the log explorer. */
  entry?: number;
  tone: Tone;
}

export const crumbId = (index: number): string => `crumb-${index}`;
export const logId = (entry: number): string => `log-${entry}`;

const toneOf = (level: string | null | undefined): Tone =>
  /^(fatal|critical|error)$/i.test(level ?? "") ? "error" : /^warn(ing)?$/i.test(level ?? "") ? "warning" : "plain";

/** Breadcrumbs and log entries in chronological order, without breadcrumbs of unknown time. */
export function momentsOf(event: Event, logs: readonly LogEntry[]): Moment[] {
  const time = Date.parse(event.timestamp);
  const crumbs = event.breadcrumbs.flatMap((crumb, index): Moment[] => {
    const at = Date.parse(crumb.timestamp ?? "") - time;
    if (Number.isNaN(at)) return [];
    const { kind, text, failed } = crumbWords(crumb, event.url);
    const about = crumb.category ?? crumb.type ?? "breadcrumb";
    const tone = failed ? "error" : toneOf(crumb.level);
    return [{ at, lane: "breadcrumbs", id: crumbId(index), words: text ?? about, about, kind, tone }];
  });
  const lines = logs.map(({ id, timestamp, message, level, logger_name }): Moment => {
    const about = logger_name ? `${level} · ${logger_name}` : level;
    const at = Date.parse(timestamp) - time;
    return { at, lane: "logs", id: logId(id), words: message, about, entry: id, tone: toneOf(level) };
  });
  return [...crumbs, ...lines].sort((one, other) => one.at - other.at);
}

/** A stretch of the axis, in milliseconds after the error. */
export interface Span {
  from: number;
  to: number;
}

/** The minimum on each side of the error, so that it is never at the edge. */
const least = 1_000;
/** The share of the whole that is left free at each end. */
const edge = 0.03;

/** The range of the axis: all moments, with at most five minutes on each side. */
export function spanOf(moments: readonly Moment[]): Span {
  const near = moments.map(({ at }) => at).filter((at) => Math.abs(at) <= around);
  const from = Math.min(-least, ...near);
  const to = Math.max(0, ...near);
  const free = (to - from) * edge;
  return { from: from - free, to: to + free };
}

/** The last moment that is not after a time; before all of them, the first. */
export function currentOf<T extends { at: number }>(moments: readonly T[], at: number): T | undefined {
  return moments.findLast((moment) => moment.at <= at) ?? moments[0];
}

/** The next moment in a direction, at another time. */
export function nextOf(moments: readonly Moment[], at: number, direction: 1 | -1): Moment | undefined {
  return direction > 0 ? moments.find((moment) => moment.at > at) : moments.findLast((moment) => moment.at < at);
}
