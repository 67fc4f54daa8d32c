// A summary of a recording, updated while it is read.

import { EventType, Interaction, type Recorded, Source, tags } from "../../../../client/replay/format.ts";
import { type Click, firstFrom } from "./clicks.ts";
import { addEffort, type Effort, endEffort, isUnseen } from "./efforts.ts";
import { addGap, endGaps, type Gap } from "./gaps.ts";
import type { Known } from "./sanitize.ts";

/** Milliseconds from the beginning. */
interface Timed {
  at: number;
}

const levels = ["debug", "info", "warning", "error"] as const;

export interface ConsoleEntry extends Timed {
  level: (typeof levels)[number];
  message: string;
}

export interface NetworkEntry extends Timed {
  method: string;
  url: string;
  /** 0: there was no answer. */
  status: number;
  /** Milliseconds. */
  duration: number;
}

export interface PageEntry extends Timed {
  url: string;
}

export interface ErrorEntry extends Timed {
  eventId: string | undefined;
  title: string;
}

/** From when on snapshots of the page were too heavy, and what one cost, in milliseconds. */
export interface Rarity extends Timed {
  how: "rarer" | "none";
  took: number;
}

/** A breadcrumb of another kind. */
export interface CrumbEntry extends Timed {
  category: string;
  level: (typeof levels)[number];
  message: string;
}

export interface Summary {
  /** Milliseconds since the epoch. */
  start: number;
  /** The duration of what was read. */
  duration: number;
  /** The person's actions per second. */
  activity: number[];
  /** Times of that, in order. */
  actions: number[];
  /** Times at which the page changed, in order. */
  changes: number[];
  clicks: Click[];
  pages: PageEntry[];
  console: ConsoleEntry[];
  network: NetworkEntry[];
  errors: ErrorEntry[];
  crumbs: CrumbEntry[];
  /** Ids that log entries share, each once. */
  traces: string[];
  /** Whether there are more of them than that. */
  hasMoreTraces: boolean;
  /** Lost events, and those that the server refused. */
  lost: number;
  refused: number;
  /** Where parts are missing, in order. */
  gaps: Gap[];
  /** Style sheets that the page could not read, and that were not uploaded with its release. */
  missingSheets: number;
  /** The worst of what the recorder has said of its pictures. */
  pictures: Rarity | undefined;
  /** When less was recorded since the page is too busy, in order. */
  efforts: Effort[];
  /** Why the recorder stopped by itself. */
  ended: (Timed & { why: string }) | undefined;
  /** Whether the recorder has marked the end. */
  isEnded: boolean;
}

export const emptySummary = (start: number): Summary => ({
  start,
  duration: 0,
  activity: [],
  actions: [],
  changes: [],
  clicks: [],
  pages: [],
  console: [],
  network: [],
  errors: [],
  crumbs: [],
  traces: [],
  hasMoreTraces: false,
  lost: 0,
  refused: 0,
  gaps: [],
  missingSheets: 0,
  pictures: undefined,
  efforts: [],
  ended: undefined,
  isEnded: false,
});

/** Sources of events that a person causes, not the page itself. */
const actions: ReadonlySet<unknown> = new Set([
  Source.MouseMove,
  Source.MouseInteraction,
  Source.Scroll,
  Source.Input,
  Source.TouchMove,
  Source.Drag,
  Source.Selection,
]);
/** Moving pointers are many events: one in this many milliseconds counts. */
const apart = 250;
/** Entries of each kind. */
const most = 20_000;
/** The most traces whose log entries are requested. */
export const tracesMost = 500;

const words = (value: unknown, length = 2_000): string => (typeof value === "string" ? value.slice(0, length) : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** Adds an event. */
export function note(summary: Summary, event: Recorded, known: Known): void {
  const at = Math.max(0, event.timestamp - summary.start);
  // Losses are reported when a chunk is sent, after the events in it.
  if (event.data.tag !== tags.lost) endGaps(summary.gaps, at);
  summary.duration = Math.max(summary.duration, at);
  if (event.type === EventType.Incremental) incremental(summary, event.data, at, known);
  else if (event.type === EventType.Meta) arrive(summary, at, words(event.data.href));
  else if (event.type === EventType.Custom) custom(summary, event.data, at);
}

function incremental(summary: Summary, data: Recorded["data"], at: number, known: Known): void {
  if (data.source === Source.Mutation) add(summary.changes, at);
  if (!actions.has(data.source)) return;
  if (at - (summary.actions.at(-1) ?? -apart) >= apart) {
    add(summary.actions, at);
    const second = Math.floor(at / 1_000);
    for (let each = summary.activity.length; each <= second; each += 1) summary.activity.push(0);
    summary.activity[second] = (summary.activity[second] ?? 0) + 1;
  }
  const isClick = data.source === Source.MouseInteraction && data.type === Interaction.Click;
  if (!isClick || summary.clicks.length >= most) return;
  const isFree = known.fields.has(count(data.id)) || isUnseen(summary.efforts);
  summary.clicks.push({ at, x: count(data.x), y: count(data.y), isFree });
}

/** In order, though clocks may step back. */
function add(times: number[], at: number): void {
  if (at >= (times.at(-1) ?? 0)) times.push(at);
  else times.splice(firstFrom(times, at), 0, at);
}

function arrive(summary: Summary, at: number, url: string): void {
  if (url === "") return;
  // A page is recorded again from time to time, without a navigation.
  if (summary.pages.at(-1)?.url === url || summary.pages.length >= most) return;
  summary.pages.push({ at, url });
  add(summary.changes, at);
}

/** Whether the event is the server's note of missing segments; adds the gap. */
export function noteGap(summary: Summary, { type, data: { tag, payload } }: Recorded): boolean {
  if (type !== EventType.Custom || tag !== tags.gap) return false;
  addGap(summary.gaps, (payload ?? {}) as Record<string, unknown>, summary.duration);
  return true;
}

function custom(summary: Summary, { tag, payload }: Recorded["data"], at: number): void {
  const said = (payload ?? {}) as Record<string, unknown>;
  if (tag === tags.navigation) arrive(summary, at, words(said.to));
  else if (tag === tags.lost) {
    summary.lost += count(said.events);
    summary.refused += Math.min(count(said.events), count(said.refused));
  } else if (tag === tags.pictures) rarity(summary, said, at);
  else if (tag === tags.effort) addEffort(summary.efforts, said, at);
  else if (tag === tags.end) {
    endEffort(summary.efforts, at);
    summary.isEnded = true;
    summary.ended = { at, why: words(said.why, 20) };
  } else if (tag === tags.trace) trace(summary, words(said.trace_id, 128));
  else if (tag === tags.console && summary.console.length < most)
    summary.console.push({ at, level: levelOf(said), message: words(said.message) });
  else if (tag === tags.crumb && summary.crumbs.length < most)
    summary.crumbs.push({
      at,
      category: words(said.category, 200),
      level: levelOf(said),
      message: words(said.message),
    });
  else if (tag === tags.network && summary.network.length < most) summary.network.push(request(said, at));
  else if (tag === tags.error && summary.errors.length < most) {
    const title = [words(said.type), words(said.message)].filter(Boolean).join(": ");
    summary.errors.push({ at, eventId: words(said.event_id) || undefined, title });
  }
}

const levelOf = (said: Record<string, unknown>) => levels.find((level) => level === said.level) ?? "info";

function rarity(summary: Summary, { how, took }: Record<string, unknown>, at: number): void {
  if (how !== "none" && (how !== "rarer" || summary.pictures)) return;
  if (summary.pictures?.how !== "none") summary.pictures = { at, how, took: count(took) };
}

function trace(summary: Summary, id: string): void {
  if (id === "" || summary.traces.includes(id)) return;
  if (summary.traces.length < tracesMost) summary.traces.push(id);
  else summary.hasMoreTraces = true;
}

const request = (said: Record<string, unknown>, at: number): NetworkEntry => ({
  // It is reported when it has ended.
  at: Math.max(0, at - count(said.duration)),
  method: words(said.method, 20) || "GET",
  url: words(said.url),
  status: count(said.status),
  duration: Math.max(0, count(said.duration)),
});

/** Milliseconds without anything the person did from which on they count as away. */
const pause = 10_000;

/** Idle times, from and to. */
export function idleOf({ actions: times, duration }: Summary): [from: number, to: number][] {
  const spans: [number, number][] = [];
  let last = 0;
  for (const at of [...times, duration]) {
    if (at - last >= pause) spans.push([last, at]);
    last = at;
  }
  return spans;
}

/** The address that the person was at. */
export function pageAt({ pages }: Summary, at: number): string | undefined {
  return (pages.findLast((page) => page.at <= at) ?? pages[0])?.url;
}
