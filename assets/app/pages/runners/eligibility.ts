import type { AgentSession, Runner } from "../../api/schema.d.ts";

export type Needs = Pick<AgentSession, "agent_type" | "labels" | "is_public"> &
  Kept & { runner_id?: AgentSession["runner_id"]; caps: Partial<AgentSession["caps"]> };
type Kept = Partial<Pick<AgentSession, "is_releasing" | "is_resuming" | "held_commit">>;
export type Offer = Pick<Runner, "name" | "agents" | "labels" | "refuses_public" | "uncounted">;

/** Whether a runner keeps the session's work, so that no other can take it. */
export const isKept = ({ is_releasing, is_resuming, held_commit }: Kept): boolean =>
  is_releasing === true || (is_resuming === true && (held_commit ?? null) !== null);

/** Why a runner does not take a session with these needs; `undefined` if it does. */
export function refusal(runner: Offer, { agent_type, labels, is_public, caps }: Needs): string | undefined {
  if (runner.agents.length > 0 && !runner.agents.includes(agent_type)) return `does not have the agent ${agent_type}`;
  const missing = labels.filter((label) => !runner.labels.includes(label));
  if (missing.length > 0) return `does not have the label ${missing.join(", ")}`;
  if (is_public && runner.refuses_public) return "cannot shut in an agent that reads what anybody may have written";
  const kept = Object.entries({ tokens: caps.tokens, cost_usd: caps.cost_usd });
  const uncounted = kept.some(([name, cap]) => (cap ?? null) !== null && runner.uncounted.includes(name));
  return uncounted ? "cannot count what its agents use, and the session has a cap on that" : undefined;
}
