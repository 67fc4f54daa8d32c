// Names and descriptions of sessions and their outcomes.

import type { AgentSession, AgentOutcome, MessageRole, SessionStatus } from "../../api/schema.d.ts";
import { ago, took } from "../../ui/format.ts";
import { costWords, dollars } from "../automations/words.ts";
import type { Block } from "./transcript.ts";

export const statuses: Record<SessionStatus, string> = {
  starting: "waits for a runner",
  running: "running",
  paused: "paused",
  suspended: "waits for another runner",
  stopped: "ended",
  failed: "failed",
};

const outcomes: Record<AgentOutcome, string> = {
  completed: "completed",
  failed: "failed",
  cancelled: "stopped by a person",
  timed_out: "took too long",
  no_runner: "no runner took it",
};

/** The phases of a running session. */
const phases: Partial<Record<AgentSession["phase"], string>> = {
  preparing: "preparing",
  working: "working",
  waiting_for_person: "waiting for you",
  proving: "being tested",
};

type Standing = Pick<AgentSession, "status" | "outcome" | "wanted"> &
  Partial<Pick<AgentSession, "phase" | "reason" | "held_commit">>;

/** What people call a session by. */
export const sessionName = (number: number): string => `Session #${number}`;

export const hasEnded = ({ status }: Pick<AgentSession, "status">): boolean =>
  status === "stopped" || status === "failed";

/** Whether it waits for a runner. */
export const waits = ({ status }: Pick<AgentSession, "status">): boolean =>
  status === "starting" || status === "suspended";

/** Whether it ended with work that waits for a review. */
export const isHeldBack = ({
  status,
  outcome,
  held_commit,
}: Pick<Standing, "status" | "outcome"> & { held_commit?: string | null | undefined }): boolean =>
  hasEnded({ status }) && outcome === "completed" && (held_commit ?? null) !== null;

/** Where a session is, or how it ended. */
export function standingWords({ status, outcome, wanted, phase, held_commit }: Standing): string {
  if (isHeldBack({ status, outcome, held_commit })) return "held back";
  if (hasEnded({ status })) return outcomes[outcome ?? "failed"];
  if (wanted === "stop") return "stopping";
  if (wanted === "pause" && status === "running") return "pausing";
  if (wanted === "resume" && status === "paused") return "resuming";
  if (status === "running" && phase !== undefined) return phases[phase] ?? statuses.running;
  return statuses[status];
}

/** Whether its agent waits for an answer of a person. */
export const waitsForPerson = ({
  status,
  phase,
}: Pick<Standing, "status"> & { phase?: Standing["phase"] | undefined }): boolean =>
  status === "running" && phase === "waiting_for_person";

/** The agent's open question, from the last such entry of the transcript. */
export function questionOf(
  blocks: readonly Pick<Block, "role" | "text">[],
): { number: number; title: string } | undefined {
  for (const { role, text } of blocks.toReversed()) {
    if (role !== "system") continue;
    const asked = [...text.matchAll(/^The agent asks for permission \((\d+)\): “([^”]*)”\. Allow or refuse\?$/gmu)].at(
      -1,
    );
    if (asked) return { number: Number(asked[1]), title: asked[2] ?? "" };
  }
  return undefined;
}

/** How bad that is. */
export function toneOf({
  status,
  outcome,
  phase,
  held_commit,
}: Standing): "good" | "error" | "warning" | "info" | "quiet" {
  if (waitsForPerson({ status, phase }) || isHeldBack({ status, outcome, held_commit })) return "warning";
  if (!hasEnded({ status })) return status === "running" ? "info" : "quiet";
  if (outcome === "completed") return "good";
  return outcome === "cancelled" ? "quiet" : outcome === "no_runner" ? "warning" : "error";
}

/** What the icon of a session tells. */
export type SessionLook =
  | "asks"
  | "held"
  | "waits"
  | "running"
  | "paused"
  | "completed"
  | "stopped"
  | "unserved"
  | "failed";

/** The state that its icon stands for. */
export function lookOf(session: Standing): SessionLook {
  const { status, outcome, wanted } = session;
  if (isHeldBack(session)) return "held";
  if (hasEnded(session)) {
    if (outcome === "completed") return "completed";
    return outcome === "cancelled" ? "stopped" : outcome === "no_runner" ? "unserved" : "failed";
  }
  if (waitsForPerson(session) && wanted === null) return "asks";
  if (waits({ status })) return "waits";
  return status === "paused" ? "paused" : "running";
}

/** Whether a session has paused at a cap: no runner has it any more, and there is a reason. */
export const isCapped = ({ status, reason }: Pick<Standing, "status" | "reason">): boolean =>
  status === "paused" && (reason ?? null) !== null;

/** Whether a session can continue from the work that its runner kept. */
export const mayContinue = (session: Standing): boolean =>
  isCapped(session) || (hasEnded(session) && session.outcome === "timed_out");

/** The possible actions on a session. */
export function wishes(session: Standing): { pause: boolean; resume: boolean; stop: boolean } {
  const { status, wanted } = session;
  const may = wanted !== "stop";
  return {
    pause: may && status === "running" && wanted !== "pause",
    resume: may && status === "paused" && wanted !== "resume" && !isCapped(session),
    stop: may && !hasEnded(session),
  };
}

/** The time for which runners had it. The server counts up to the last change, so the current run is added. */
export function durationOf(
  { status, active_seconds, started_at }: Pick<AgentSession, "status" | "active_seconds" | "started_at">,
  now: number,
): string {
  if (started_at === null) return "";
  const since = status === "running" ? Math.floor((now - Date.parse(started_at)) / 1_000) : 0;
  const seconds = Math.max(active_seconds, since);
  return seconds < 60 ? `${seconds} s` : took(seconds * 1_000);
}

/** What it cost, as far as it is known, with what its model calls say that they cost of that. */
export function costOf({ cost_usd, started_at }: Pick<AgentSession, "cost_usd" | "started_at">, ofModels = 0): string {
  const whole = costWords(Math.max(cost_usd, ofModels), started_at === null ? 0 : 1);
  const part = dollars(ofModels);
  return ofModels > 0 && part !== whole ? `${whole}, ${part} of it for model calls` : whole;
}

/** How long it has been so, or when it ended. */
export function sinceWords(
  { status, phase_since, ended_at }: Pick<AgentSession, "status" | "phase_since" | "ended_at">,
  now: number,
): string {
  const ended = hasEnded({ status });
  const words = ago(Date.parse((ended ? ended_at : null) ?? phase_since), now);
  return ended ? words : words.replace(/^(.*) ago$/, "for $1").replace(/^now$/, "just now");
}

export const roles: Record<MessageRole, string> = {
  user: "Asked",
  agent: "Agent",
  tool: "Tool",
  system: "Mayday",
};

/** The automation or the person that started a session, by name as far as it is known. */
export function startedBy(
  { automation_id, origin }: Pick<AgentSession, "automation_id" | "origin">,
  { automation, person }: { automation?: string | undefined; person?: string | undefined },
): { words: string; name?: string } {
  if (automation_id !== null)
    return automation === undefined ? { words: "an automation" } : { words: "", name: automation };
  if (origin === "api")
    return person === undefined ? { words: "a key or a token" } : { words: "a key or a token of ", name: person };
  return person === undefined ? { words: "a person" } : { words: "", name: person };
}

/** Who closed an unmerged pull request and why, as far as the code host reported: the last comment. */
export function closedWords({ closed_by, last_comment }: Pick<AgentSession, "closed_by" | "last_comment">): string {
  const closed = closed_by === null ? "closed without being merged" : `closed by ${closed_by}`;
  if (!last_comment) return closed;
  const quoted = `“${last_comment.text}”`;
  return last_comment.by === closed_by ? `${closed}: ${quoted}` : `${closed}; ${last_comment.by} said ${quoted}`;
}
