import { ChevronsDown, ChevronsUp, Equal } from "lucide-react";
import type { Priority as PriorityName } from "../api/schema.d.ts";
import classes from "./Priority.module.css";

const looks: Record<PriorityName, { Icon: typeof Equal; name: string }> = {
  high: { Icon: ChevronsUp, name: "High priority" },
  medium: { Icon: Equal, name: "Medium priority" },
  low: { Icon: ChevronsDown, name: "Low priority" },
};

/** An issue's priority: an icon, and the name on hover. The medium one is muted. */
export function Priority({ of }: { of: PriorityName }) {
  const { Icon, name } = looks[of];
  return (
    <span className={classes.priority} data-priority={of} role="img" aria-label={name} title={name}>
      <Icon aria-hidden />
    </span>
  );
}
