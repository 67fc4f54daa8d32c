import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  Hand,
  type LucideIcon,
  MessageCircleQuestion,
  TriangleAlert,
} from "lucide-react";
import type { AgentSession } from "../../api/schema.d.ts";
import { Badge } from "../../ui/Badge.tsx";
import { lookOf, type SessionLook, standingWords, toneOf } from "./words.ts";

const icons: Record<SessionLook, LucideIcon> = {
  asks: MessageCircleQuestion,
  held: Hand,
  waits: CircleDashed,
  running: CircleDot,
  paused: CirclePause,
  completed: CircleCheck,
  stopped: CircleSlash,
  unserved: TriangleAlert,
  failed: CircleAlert,
};

type SessionStateFields = Pick<AgentSession, "status" | "outcome" | "wanted"> &
  Partial<Pick<AgentSession, "phase" | "held_commit">>;

/** Where a session is, or how it ended. */
export function SessionState({ session }: { session: SessionStateFields }) {
  return (
    <Badge Icon={icons[lookOf(session)]} tone={toneOf(session)}>
      {standingWords(session)}
    </Badge>
  );
}
