import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { isStatus, messageOf } from "../../api/error.ts";
import classes from "../../ui/settings/Settings.module.css";

/** Shows a section of the instance, or why it is closed to this person. */
export function OnlyOperators({ error, children }: { error: unknown; children: ReactNode }) {
  if (!isStatus(error, 403)) return children;
  return (
    <p className={classes.note} role="note">
      <Lock aria-hidden />
      <span>{messageOf(error)}</span>
    </p>
  );
}
