import type { BackupRun, BackupSchedule } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { local } from "../../../ui/format.ts";

interface Props {
  schedule: BackupSchedule;
  runs: BackupRun[];
  /** Why the destination could not be listed. */
  keptError: string | null;
}

/** Warns of a failed or missing backup, and of a target that does not respond. */
export function BackupAlarms({ schedule: { target, overdue_since }, runs, keptError }: Props) {
  const last = runs.find((run) => run.target === target && run.outcome !== "running");
  const failure = last?.outcome === "failed" ? (last.error ?? "The server's log says why.") : undefined;
  const overdue = overdue_since === null ? "" : ` There has been none since ${local(Date.parse(overdue_since))}.`;
  return (
    <>
      <Alarm error={failure} what={`The last backup failed.${overdue}`} />
      <Alarm
        error={overdue !== "" && failure === undefined ? "The server's log may say why." : undefined}
        what={`A backup is overdue.${overdue}`}
      />
      <Alarm error={keptError ?? undefined} what="The destination could not be listed." />
    </>
  );
}
