// Collects the events of a session on one time axis.

import type { SessionMessage } from "../../api/schema.d.ts";
import { counted, timeOfDay } from "../../ui/format.ts";
import { oneLine } from "../../ui/visible.ts";

export const lanes = ["people", "agent", "model", "tool", "network", "test", "state"] as const;
export type Lane = (typeof lanes)[number];

export const laneNames: Record<Lane, string> = {
  people: "People",
  agent: "Agent",
  model: "Model calls",
  tool: "Tools",
  network: "Network",
  test: "Tests",
  state: "Session",
};

/** Something that happened. */
export interface Mark {
  id: number;
  lane: Lane;
  /** Milliseconds since the epoch: when it began, and when it had ended. */
  from: number;
  to: number;
  text: string;
  isBad: boolean;
}

/** Totals over all events. */
export interface Totals {
  modelCalls: number;
  /** In US dollars. */
  cost: number;
  tools: number;
  refused: number;
}

export interface Timeline {
  marks: Mark[];
  totals: Totals;
}

export const empty: Timeline = { marks: [], totals: { modelCalls: 0, cost: 0, tools: 0, refused: 0 } };

/** Output of an agent within a second of a mark gets no further mark. */
const nearness = 1_000;

function laneOf({ role, kind }: SessionMessage): Lane {
  if (role === "user") return "people";
  if (role === "agent") return "agent";
  if (role === "tool") return "tool";
  return kind ?? "state";
}

/** Adds entries of a transcript. */
export function withEntries(before: Timeline, messages: readonly SessionMessage[]): Timeline {
  const marks = [...before.marks];
  const totals = { ...before.totals };
  for (const message of messages) {
    const lane = laneOf(message);
    const to = Date.parse(message.created_at);
    const from = to - (message.figures?.took_ms ?? 0);
    const status = message.figures?.status ?? null;
    const isRefused = lane === "network" && message.content.startsWith("Network: refused ");
    // What sums them up at the session's end is none of its own.
    const sumsUp = lane === "network" && /^Network: \d+ (try was|tries were) refused in all: /.test(message.content);
    const isBad =
      isRefused ||
      sumsUp ||
      (lane === "model" && status !== null && status >= 400) ||
      (lane === "test" && (status ?? 0) !== 0);
    if (lane === "model") totals.modelCalls++;
    if (lane === "tool") totals.tools++;
    if (isRefused) totals.refused++;
    totals.cost += message.figures?.cost_usd ?? 0;
    const last = marks.findLast((mark) => mark.lane === lane);
    if (lane === "agent" && last && to - last.to < nearness) {
      marks[marks.indexOf(last)] = { ...last, to };
      continue;
    }
    marks.push({ id: message.id, lane, from, to, text: message.content, isBad });
  }
  return { marks, totals };
}

/** What a mark stands for, in words: what failed is not told by its colour alone. */
export function markWords({ lane, to, text, isBad }: Mark, most: number): string {
  const bad = lane === "network" ? ", refused" : ", failed";
  return `${laneNames[lane]}, ${timeOfDay(to)}${isBad ? bad : ""}: ${oneLine(text).slice(0, most)}`;
}

/** The totals in words, without zeros, and without what the page says above: what it took and cost. */
export function totalWords({ modelCalls, tools, refused }: Totals): string[] {
  return [
    modelCalls > 0 && counted(modelCalls, "model call"),
    tools > 0 && counted(tools, "tool call", "tool calls and results"),
    refused > 0 && counted(refused, "refused connection"),
  ].filter((words) => words !== false);
}
