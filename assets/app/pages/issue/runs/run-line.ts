// What a line on an issue's page says of its agents: one thing, the one that matters most now.

import type { IssueSession } from "../../../api/schema.d.ts";
import { hasEnded, standingWords, waits } from "../../sessions/words.ts";

interface RunLine {
  /** After the link to the session, before that to the pull request. */
  words: string;
  pullRequest?: { url: string; name: string };
  /** What became of the pull request. */
  state?: string;
}

/** What the session does or has done; one that has ended opened a pull request, or its work waits for a review. */
export function runLine(session: IssueSession): RunLine {
  const { pull_request_url: url } = session;
  if (!hasEnded(session)) return { words: goingWords(session) };
  if (url === null) return { words: `is ${standingOf(session)}: its changes wait for a review` };
  return { words: "opened", pullRequest: { url, name: pullRequestName(url) }, ...stateOf(session) };
}

/** Where it is, as its own page says it. */
const standingOf = (session: IssueSession): string => standingWords({ ...session, wanted: null });

/** `is preparing`, `waits for a runner`. */
function goingWords(session: IssueSession): string {
  const words = standingOf(session);
  return waits(session) ? words : `is ${words}`;
}

function stateOf({ merged_at, closed_at, regressed_at }: IssueSession): { state?: string } {
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
