import type { Priority as PriorityName } from "../api/schema.d.ts";
import classes from "./Priority.module.css";
import { priorities } from "./priorities.ts";

/** An issue's priority: an icon, and the name on hover. The medium one is muted. */
export function Priority({ of }: { of: PriorityName }) {
  const { Icon, word } = priorities[of];
  const name = `${word} priority`;
  return (
    <span className={classes.priority} data-priority={of} role="img" aria-label={name} title={name}>
      <Icon aria-hidden />
    </span>
  );
}
