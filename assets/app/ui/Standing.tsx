import { CircleCheck, CircleDot, CircleSlash, Flame, RotateCcw, Sparkles } from "lucide-react";
import type { Status, Substatus } from "../api/schema.d.ts";
import classes from "./Badges.module.css";

const looks: Record<string, { Icon: typeof Flame; tone: string; about: string }> = {
  resolved: { Icon: CircleCheck, tone: "good", about: "A new event reopens it as regressed" },
  ignored: { Icon: CircleSlash, tone: "quiet", about: "Kept, and out of sight" },
  escalating: { Icon: Flame, tone: "error", about: "Many more events in this hour than in the last 7 days" },
  regressed: { Icon: RotateCcw, tone: "warning", about: "It was resolved, and came back" },
  new: { Icon: Sparkles, tone: "info", about: "First seen in the last 7 days" },
  ongoing: { Icon: CircleDot, tone: "quiet", about: "Unresolved for more than 7 days" },
};

/** Where an issue stands: resolved, ignored, or how it behaves while it is neither. */
export function Standing({ status, substatus }: { status: Status; substatus?: Substatus | null | undefined }) {
  const word = status === "unresolved" ? (substatus ?? "ongoing") : status;
  const look = looks[word] ?? { Icon: CircleDot, tone: "quiet", about: "" };
  return (
    <span className={classes.badge} data-tone={look.tone} title={look.about}>
      <look.Icon aria-hidden className={classes.icon} />
      <span>{word}</span>
    </span>
  );
}
