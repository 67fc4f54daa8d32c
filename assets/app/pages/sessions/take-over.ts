// What a person who takes over from an agent gets of its work, and what may be lost.

import type { AgentSession } from "../../api/schema.d.ts";
import { oneLine } from "../../ui/visible.ts";
import { hasEnded, isCapped, waits } from "./words.ts";

type Work = Pick<
  AgentSession,
  "status" | "reason" | "attempts" | "head_commit" | "branch_name" | "held_commit" | "repo"
>;

interface Found {
  /** Sentences. */
  words: string;
  /** For a shell, in a clone of the repository. */
  commands?: string;
}

/** Where the work of a session is once it is stopped. */
export function workOf(session: Work): Found {
  const { attempts, head_commit, branch_name, repo } = session;
  if (attempts === 0) return { words: "No agent has begun: there is no work of it." };
  const rest = `What it has changed and not pushed ${restOf(session)}`;
  if (head_commit === null || branch_name === null) return { words: `Nothing has been pushed. ${rest}` };
  const clone = repo ? `a clone of ${oneLine(repo.host_repo_name)}` : "a clone of its repository";
  const commands = `git fetch origin ${quoted(branch_name)}\ngit switch ${quoted(branch_name)}`;
  return { words: `Its branch has been pushed. ${rest} In ${clone}, these commands get the branch:`, commands };
}

/** What becomes of the work that was not pushed: only a runner that has the session can still send it. */
function restOf(session: Work): string {
  if (session.held_commit !== null) return "stays on this page, as a patch, and on its runner.";
  if (hasEnded(session)) return "is on this page, as far as its runner could keep it.";
  if (waits(session) || isCapped(session)) return "was not kept.";
  return (
    "appears on this page as a patch, as soon as its runner has ended the agent. " +
    "It is lost if the runner cannot be reached, or cannot keep it."
  );
}

/** A name as one word of a shell. */
const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
