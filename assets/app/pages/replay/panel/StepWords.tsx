import { CircleDot, CircleAlert, CornerDownRight, Globe, MousePointerClick, SquareTerminal } from "lucide-react";
import { Line } from "../../../ui/Text.tsx";
import type { Step, StepKind } from "../data/crumbs.ts";
import classes from "./Panel.module.css";

const icons: Record<StepKind, [icon: typeof Globe, words: string]> = {
  click: [MousePointerClick, "Click"],
  page: [CornerDownRight, "Page"],
  request: [Globe, "Request"],
  console: [SquareTerminal, "Console"],
  error: [CircleAlert, "Error"],
  other: [CircleDot, "Breadcrumb"],
};

/** An event: the icon of its kind, with a label for screen readers, and its text. */
export function StepWords({ step: { kind, text, tone } }: { step: Step }) {
  const [Icon, words] = icons[kind];
  return (
    <>
      <Icon role="img" aria-label={words} className={classes.icon} data-tone={tone} />
      <Line text={text} mono={kind !== "error"} />
    </>
  );
}
