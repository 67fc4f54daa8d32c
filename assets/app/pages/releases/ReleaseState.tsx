import { CircleCheck, CircleDashed } from "lucide-react";
import classes from "./List.module.css";

/** Whether a release is complete. */
export function ReleaseState({ finalized }: { finalized: boolean }) {
  const Icon = finalized ? CircleCheck : CircleDashed;
  const about = finalized ? "Complete: its maps cannot be replaced, new ones can be added" : "Not finalized: maps can be added and replaced";
  return (
    <span className={classes.state} data-done={finalized || undefined} title={about}>
      <Icon aria-hidden />
      <span>{finalized ? "finalized" : "open"}</span>
    </span>
  );
}
