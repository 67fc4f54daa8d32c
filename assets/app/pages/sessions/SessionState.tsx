import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CircleSlash } from "lucide-react";
import type { AgentSession } from "../../api/schema.d.ts";
import { Badge } from "../../ui/Badge.tsx";
import { standingWords, toneOf } from "./words.ts";

const icons = { good: CircleCheck, error: CircleAlert, warning: CircleSlash, info: CircleDot, quiet: CircleDashed };

type SessionStateFields = Pick<AgentSession, "status" | "outcome" | "wanted"> &
  Partial<Pick<AgentSession, "phase" | "held_commit">>;

/** Where a session is, or how it ended. */
export function SessionState({ session }: { session: SessionStateFields }) {
  const tone = toneOf(session);
  const Icon = icons[tone];
  return (
    <Badge Icon={Icon} tone={tone}>
      {standingWords(session)}
    </Badge>
  );
}
