import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CircleSlash, type LucideIcon } from "lucide-react";
import type { BackupOutcome } from "../../api/schema.d.ts";
import { Badge } from "../../ui/Badge.tsx";

const looks: Record<BackupOutcome | "none", { Icon: LucideIcon; tone: string; word: string }> = {
  succeeded: { Icon: CircleCheck, tone: "good", word: "succeeded" },
  failed: { Icon: CircleAlert, tone: "error", word: "failed" },
  running: { Icon: CircleDot, tone: "info", word: "running" },
  stopped: { Icon: CircleSlash, tone: "quiet", word: "stopped" },
  none: { Icon: CircleDashed, tone: "quiet", word: "none yet" },
};

/** The outcome of a backup run: a word with an icon. */
export function OutcomeBadge({ of }: { of: BackupOutcome | "none" }) {
  const { Icon, tone, word } = looks[of];
  return (
    <Badge Icon={Icon} tone={tone}>
      {word}
    </Badge>
  );
}
