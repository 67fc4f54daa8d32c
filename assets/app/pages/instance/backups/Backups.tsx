import { useQuery } from "@tanstack/react-query";
import { backupsQuery } from "../../../api/instance-queries.ts";
import type { InstanceBackups } from "../../../api/schema.d.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Snippet } from "../../../ui/Snippet.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import { OnlyOperators } from "../OnlyOperators.tsx";
import { KeptTable } from "./KeptTable.tsx";
import { RunTable } from "./RunTable.tsx";
import { Schedule } from "./Schedule.tsx";
import { BackupAlarms } from "./BackupAlarms.tsx";

const variables = `# Minute, hour, day of the month, month, day of the week; in UTC.
SERVICE_BACKUP_SCHEDULE=0 3 * * *
# A directory outside the data directory, or s3://bucket/prefix.
SERVICE_BACKUP_TO=/backups
SERVICE_BACKUP_KEEP=7
# Seals the secrets in each backup.
SERVICE_BACKUP_PASSPHRASE_FILE=/etc/mayday/backup-passphrase`;

/** Scheduled backups: the schedule, the target, and the outcomes of the last runs. */
export function Backups() {
  const backups = useQuery(backupsQuery);
  return (
    <>
      <h2>Backups</h2>
      <p className={settings.lead}>
        What the server backs up on a schedule. Backups made by hand, with <code>mayday backup</code> or{" "}
        <code>backup.sh</code>, are not listed. <code>docs/backup.md</code> says how to check and restore one.
      </p>
      <OnlyOperators error={backups.error}>
        <Answer query={backups} what="The backups" bones={<TableBones rows={5} columns={3} />}>
          {(found) => <BackupsReport backups={found} />}
        </Answer>
      </OnlyOperators>
    </>
  );
}

function BackupsReport({ backups: { schedule, last_success, runs, kept, kept_error } }: { backups: InstanceBackups }) {
  return (
    <>
      {schedule === null ? (
        <NoSchedule />
      ) : (
        <>
          <BackupAlarms schedule={schedule} runs={runs} keptError={kept_error} />
          <Schedule schedule={schedule} lastSuccess={last_success} runs={runs} />
        </>
      )}
      {runs.length > 0 && <RunTable runs={runs} target={schedule?.target} />}
      {kept !== null && kept.length > 0 && <KeptTable kept={kept} />}
    </>
  );
}

/** How to enable scheduled backups. */
function NoSchedule() {
  return (
    <Empty title="No scheduled backups">
      <p>
        Add these lines to the server's environment and restart it. It makes the first backup at once.{" "}
        <code>docs/backup.md</code> explains them, and S3-compatible storage.
      </p>
      <Snippet text={variables} label="Variables for backups" />
    </Empty>
  );
}
