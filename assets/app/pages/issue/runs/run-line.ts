// What a line on an issue's page says of its agents: one thing, the one that matters most now.

import type { AgentSession, IssueRun } from "../../../api/schema.d.ts";
import { hasEnded, isHeldBack } from "../../sessions/words.ts";

type Run = Pick<
  IssueRun,
  | "id"
  | "status"
  | "phase"
  | "outcome"
  | "held_commit"
  | "pull_request_url"
  | "merged_at"
  | "closed_at"
  | "regressed_at"
>;

interface RunLine {
  id: AgentSession["id"];
  /** After the link to the session, before that to the pull request. */
  words: string;
  pullRequest?: { url: string; name: string };
  /** What became of the pull request. */
  state?: string;
}

/** The work that goes on, else the newest that is a pull request or waits for a review; of runs, newest first. */
export function runLine(runs: readonly Run[]): RunLine | undefined {
  const going = runs.find((run) => !hasEnded(run));
  if (going) {
    const asks = going.status === "running" && going.phase === "waiting_for_person";
    return { id: going.id, words: asks ? "is waiting for your answer" : goingWords[going.status] };
  }
  const last = runs.find((run) => run.pull_request_url !== null || isHeldBack(run));
  if (!last) return undefined;
  const { id, pull_request_url: url } = last;
  if (url === null) return { id, words: "has made changes that wait for a review" };
  return { id, words: "opened", pullRequest: { url, name: pullRequestName(url) }, ...stateOf(last) };
}

const goingWords: Record<Run["status"], string> = {
  starting: "is waiting for a runner",
  running: "is working on this issue",
  paused: "is paused",
  suspended: "is waiting for another runner",
  stopped: "",
  failed: "",
};

function stateOf({ merged_at, closed_at, regressed_at }: Run): { state?: string } {
  if (regressed_at !== null) return { state: "merged, but the issue regressed" };
  if (merged_at !== null) return { state: "merged" };
  return closed_at === null ? {} : { state: "closed without being merged" };
}

/** `pull request #91`, as far as the address, which the agent chose, says so. */
export function pullRequestName(url: string): string {
  const [, kind, number] = /\/(pulls?|merge_requests|pull-requests)\/(\d{1,9})(?:[/?#]|$)/.exec(url) ?? [];
  if (number === undefined) return "a pull request";
  return kind === "merge_requests" ? `merge request !${number}` : `pull request #${number}`;
}
