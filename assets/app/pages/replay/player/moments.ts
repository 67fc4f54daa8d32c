import { type ClickKind, kindsOf } from "../data/clicks.ts";
import { atOf } from "../data/clock.ts";
import type { Summary } from "../data/summary.ts";

/** The kind of a marker. */
export type MomentKind = "error" | "page" | "rage" | "dead" | "click";

export interface Moment {
  /** Milliseconds from the beginning. */
  at: number;
  kind: MomentKind;
  words: string;
  /** For an error that the server has. */
  issue?: { id: number; event: string } | undefined;
}

interface KnownError {
  event_id: string;
  issue_id: number;
  title: string;
  timestamp: number;
  received_at: string;
}

const clickWords: Record<ClickKind, string> = { plain: "Click", rage: "Repeated clicks", dead: "Click without effect" };

/** Everything with a place on the timeline, in order; `lag` is that of the browser's clock. */
export function momentsOf(summary: Summary, errors: readonly KnownError[], lag: number): Moment[] {
  const kinds = kindsOf(summary.clicks, summary.changes, summary.duration);
  const clicks = summary.clicks.map(({ at }, index): Moment => {
    const kind = kinds[index] ?? "plain";
    return { at, kind: kind === "plain" ? "click" : kind, words: clickWords[kind] };
  });
  const pages = summary.pages.map(({ at, url }): Moment => ({ at, kind: "page", words: url }));
  return [...clicks, ...pages, ...errorsOf(summary, errors, lag)].sort((one, other) => one.at - other.at);
}

/** Those of the recording and those that the server knows, each once: some were sent from elsewhere. */
function errorsOf(summary: Summary, known: readonly KnownError[], lag: number): Moment[] {
  const byId = new Map(known.map((error) => [error.event_id, error]));
  const recorded = summary.errors.map(({ at, eventId, title }): Moment => {
    const found = eventId === undefined ? undefined : byId.get(eventId);
    if (found) byId.delete(found.event_id);
    const issue = found && { id: found.issue_id, event: found.event_id };
    return { at, kind: "error", words: found?.title || title || "Error", issue };
  });
  const clock = { start: summary.start, lag };
  const others = summary.start === 0 ? [] : [...byId.values()];
  return [
    ...recorded,
    ...others.map(
      ({ event_id, issue_id, title, timestamp, received_at }): Moment => ({
        at: Math.min(Math.max(0, atOf(timestamp, Date.parse(received_at), clock)), summary.duration),
        kind: "error",
        words: title,
        issue: { id: issue_id, event: event_id },
      }),
    ),
  ];
}

/** Markers of one kind that would lie on each other. */
export interface Marker {
  at: number;
  kind: MomentKind;
  words: string;
  count: number;
}

/** Places on the timeline, at most. */
const places = 160;

export function markersOf(moments: readonly Moment[], duration: number): Marker[] {
  const found = new Map<string, Marker>();
  for (const { at, kind, words } of moments) {
    const key = `${kind} ${Math.floor((at / Math.max(1, duration)) * places)}`;
    const marker = found.get(key);
    if (marker) marker.count += 1;
    else found.set(key, { at, kind, words, count: 1 });
  }
  return [...found.values()];
}

/** Bars of the histogram, each as a share of the highest. */
export function barsOf(activity: readonly number[], duration: number, count: number): number[] {
  const bars = Array.from({ length: count }, () => 0);
  const seconds = Math.max(1, duration / 1_000);
  activity.forEach((actions, second) => {
    const bar = Math.min(count - 1, Math.floor((second / seconds) * count));
    bars[bar] = (bars[bar] ?? 0) + actions;
  });
  const most = Math.max(1, ...bars);
  return bars.map((bar) => bar / most);
}
