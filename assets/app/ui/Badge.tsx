import type { LucideIcon } from "lucide-react";
import classes from "./Badges.module.css";

interface Props {
  Icon: LucideIcon;
  /** The colour: a level, or `good`; any other word gets a muted colour. */
  tone: string;
  children: string;
  /** What the word means. */
  title?: string | undefined;
  /** Whether only the icon is visible; screen readers still get the word. */
  quiet?: boolean;
}

/** A word with its icon, in its colour. */
export function Badge({ Icon, tone, children, title, quiet = false }: Props) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <Icon aria-hidden className={classes.icon} />
      <span className={quiet ? "unseen" : undefined}>{children}</span>
    </span>
  );
}
