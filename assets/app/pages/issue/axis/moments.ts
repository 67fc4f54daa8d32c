// Combines what happened around an error, from several sources, on one time axis.

import type { Event, Level, LogEntry } from "../../../api/schema.d.ts";
import { type CrumbKind, crumbWords, lastedOf } from "../details/crumb-words.ts";
import { around } from "../logs/timeline.ts";
import { type Clocks, offOf, sameClocks } from "./clocks.ts";

export type Lane = "events" | "user" | "network" | "console" | "other" | "logs";
export type Tone = "plain" | "warning" | "error" | "fatal";

/** The lanes by their names, from the top. */
export const laneWords: Record<Lane, string> = {
  events: "Events",
  user: "User",
  network: "Network",
  console: "Console",
  other: "Other",
  logs: "Logs",
};

/** The lane of a moment, and how grave it is, if it is. */
export const placeWords = ({ lane, tone }: Moment): string =>
  tone === "plain" ? laneWords[lane] : `${laneWords[lane]}, ${tone}`;

/** The lanes that have something on them, from the top. */
export function lanesOf(moments: readonly Moment[]): Lane[] {
  const used = new Set(moments.map(({ lane }) => lane));
  return (Object.keys(laneWords) as Lane[]).filter((lane) => used.has(lane));
}

const laneOf: Record<CrumbKind, Lane> = {
  user: "user",
  navigation: "user",
  request: "network",
  console: "console",
  query: "other",
  error: "other",
  other: "other",
};

/** Something with a time of its own. */
export interface Moment {
  /** Milliseconds after the error; before it, below zero. */
  at: number;
  /** By how much that was moved, to be by the error's clock. */
  off?: number;
  lane: Lane;
  /** How long it took, in milliseconds, up to `at`; of a request or a query that says so. */
  lasted?: number | undefined;
  /** Of its row on the page. */
  id: string;
  words: string;
  /**
   * What makes a breadcrumb grave, if anything, and its category; the level of an event; the level and logger of a log
   * entry.
   */
  about: string;
  /** Of an event. */
  level?: Level;
  /** Of a breadcrumb. */
  kind?: CrumbKind;
  /** Of a log entry, in the log explorer. */
  entry?: number;
  tone: Tone;
}

export const crumbId = (index: number): string => `crumb-${index}`;
export const logId = (entry: number): string => `log-${entry}`;

/** The levels that are grave, as senders call them. */
const tones = new Map<string, Tone>([
  ["critical", "fatal"],
  ["fatal", "fatal"],
  ["error", "error"],
  ["warning", "warning"],
  ["warn", "warning"],
]);

export const toneOf = (level: string | null | undefined): Tone => tones.get(level?.toLowerCase() ?? "") ?? "plain";

/** Breadcrumbs and log entries around an event, in order of time. */
export function momentsOf(event: Event, logs: readonly LogEntry[], clocks = sameClocks): Moment[] {
  const time = Date.parse(event.timestamp);
  const moments = [...crumbMoments(event, time), ...logMoments(logs, time, clocks)];
  return moments.sort((one, other) => one.at - other.at);
}

/** The breadcrumbs of an event, in milliseconds after a time; those without a time have no place. */
export const crumbMoments = (event: Event, time: number): Moment[] =>
  event.breadcrumbs.flatMap((crumb, index): Moment[] => {
    const at = Date.parse(crumb.timestamp ?? "") - time;
    if (Number.isNaN(at)) return [];
    const { kind, text, failed } = crumbWords(crumb, event.url);
    const category = crumb.category ?? crumb.type ?? "breadcrumb";
    const level = toneOf(crumb.level);
    const grave = failed ? "failed" : level === "plain" ? undefined : crumb.level?.toLowerCase();
    const about = grave === undefined ? category : `${grave} · ${category}`;
    const tone = failed ? "error" : level;
    const lasted = lastedOf(crumb);
    return [{ at, lane: laneOf[kind], id: crumbId(index), words: text ?? category, about, kind, tone, lasted }];
  });

/** Log entries, in milliseconds after a time. */
export const logMoments = (logs: readonly LogEntry[], time: number, clocks: Clocks = sameClocks): Moment[] =>
  logs.map((entry): Moment => {
    const { id, timestamp, message, level, logger_name } = entry;
    const about = logger_name ? `${level} · ${logger_name}` : level;
    const off = offOf(entry, clocks);
    const at = Date.parse(timestamp) + off - time;
    return { at, off, lane: "logs", id: logId(id), words: message, about, entry: id, tone: toneOf(level) };
  });

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
  return withEdges(Math.min(-least, ...near), Math.max(0, ...near));
}

function withEdges(from: number, to: number): Span {
  const free = (to - from) * edge;
  return { from: from - free, to: to + free };
}

/** From the first moment to the last, whenever that is. */
export function wholeSpan(moments: readonly Moment[]): Span {
  const from = moments.reduce((found, { at }) => Math.min(found, at), 0);
  const to = moments.reduce((found, { at }) => Math.max(found, at), 0);
  return withEdges(from, Math.max(to, from + least));
}

/** The last moment that is not after a time; before all of them, the first. */
export function currentOf<T extends { at: number }>(moments: readonly T[], at: number): T | undefined {
  return moments.findLast((moment) => moment.at <= at) ?? moments[0];
}

/** The next moment in a direction, at another time. */
export function nextOf(moments: readonly Moment[], at: number, direction: 1 | -1): Moment | undefined {
  return direction > 0 ? moments.find((moment) => moment.at > at) : moments.findLast((moment) => moment.at < at);
}
