import type { LogLine } from "../data/logs.ts";
import type { Step } from "../data/crumbs.ts";
import type { Summary } from "../data/summary.ts";
import type { Moment } from "./moments.ts";

/** The lanes of the time axis, each with a list beside the player. */
export const laneNames = ["steps", "logs", "console", "network", "errors"] as const;
export type LaneName = (typeof laneNames)[number];

export type Tone = "plain" | "warning" | "error";

interface Mark {
  at: number;
  /** The duration in milliseconds, if any. */
  duration?: number;
  tone: Tone;
}

/** Places on the axis. */
export const places = 240;

export interface Lane {
  name: LaneName;
  count: number;
  /** The marks: start, width, and tone; of several at one place the worst, and the worst last. */
  marks: [place: number, width: number, tone: Tone][];
}

interface LaneInput {
  summary: Summary;
  steps: readonly Step[];
  moments: readonly Moment[];
  logs: readonly LogLine[];
}

/** The lanes on which something is, over the same time as the player's. */
export function lanesOf({ summary, steps, moments, logs }: LaneInput, duration: number): Lane[] {
  const all: Record<LaneName, Mark[]> = {
    steps: steps.map(({ at, tone }) => ({ at, tone: tone ?? "plain" })),
    logs: logs.map(({ at, entry }) => ({ at, tone: toneOf(entry.level) })),
    console: summary.console.map(({ at, level }) => ({ at, tone: toneOf(level) })),
    network: summary.network.map(({ at, duration: took, status }) => ({
      at,
      duration: took,
      tone: status === 0 || status >= 400 ? "error" : "plain",
    })),
    errors: moments.filter(({ kind }) => kind === "error").map(({ at }) => ({ at, tone: "error" })),
  };
  const lanes = laneNames.map((name) => ({ name, count: all[name].length, marks: placed(all[name], duration) }));
  return lanes.filter(({ count }) => count > 0);
}

const toneOf = (level: string): Tone =>
  level === "error" || level === "fatal" ? "error" : level === "warning" || level === "warn" ? "warning" : "plain";

const weight: Record<Tone, number> = { plain: 0, warning: 1, error: 2 };

function placed(marks: readonly Mark[], duration: number): Lane["marks"] {
  const placeOf = (at: number) => Math.min(places - 1, Math.floor((at / Math.max(1, duration)) * places));
  const found = new Map<string, Lane["marks"][number]>();
  for (const { at, duration: took = 0, tone } of marks) {
    const place = placeOf(at);
    const width = placeOf(at + took) - place + 1;
    const known = found.get(`${place} ${width}`);
    if (known === undefined || weight[tone] > weight[known[2]]) found.set(`${place} ${width}`, [place, width, tone]);
  }
  return [...found.values()].sort(([, , one], [, , other]) => weight[one] - weight[other]);
}
