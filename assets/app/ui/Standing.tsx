import { CircleCheck, CircleDot, CircleSlash, Flame, RotateCcw, Sparkles, type LucideIcon } from "lucide-react";
import type { Status, Substatus } from "../api/schema.d.ts";
import { Badge } from "./Badge.tsx";

const looks: Record<string, { Icon: LucideIcon; tone: string; about: string }> = {
  resolved: { Icon: CircleCheck, tone: "good", about: "Its next event reopens it as regressed" },
  ignored: { Icon: CircleSlash, tone: "quiet", about: "Still counted, but not listed as unresolved" },
  escalating: { Icon: Flame, tone: "error", about: "Far more events this hour than its last 7 days would suggest" },
  regressed: { Icon: RotateCcw, tone: "warning", about: "It happened again after it was resolved" },
  new: { Icon: Sparkles, tone: "info", about: "First seen within the last 7 days" },
  ongoing: { Icon: CircleDot, tone: "quiet", about: "Unresolved for more than 7 days" },
};

interface Props {
  status: Status;
  substatus?: Substatus | null | undefined;
  /** For lists: does not mention that an issue is ongoing. */
  brief?: boolean;
}

/** The state of an issue: resolved, ignored, or its substatus. */
export function Standing({ status, substatus, brief = false }: Props) {
  const word = status === "unresolved" ? (substatus ?? "ongoing") : status;
  if (brief && word === "ongoing") return null;
  const look = looks[word] ?? { Icon: CircleDot, tone: "quiet", about: "" };
  return (
    <Badge Icon={look.Icon} tone={look.tone} title={look.about}>
      {word}
    </Badge>
  );
}
