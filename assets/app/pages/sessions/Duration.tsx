import type { AgentSession } from "../../api/schema.d.ts";
import { useNow } from "../../ui/clock.ts";
import { durationOf } from "./words.ts";

/** How long runners had a session. */
export function Duration({ of }: { of: Pick<AgentSession, "status" | "active_seconds" | "started_at"> }) {
  const now = useNow();
  return durationOf(of, now) || <span className="muted">not started</span>;
}
