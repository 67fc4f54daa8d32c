import { Snippet } from "../../../ui/Snippet.tsx";
import { Empty } from "../../../ui/States.tsx";

const lines = `# Minute, hour, day of the month, month, day of the week; in UTC.
SERVICE_BACKUP_SCHEDULE=0 3 * * *
# A directory outside the data directory, or s3://bucket/prefix.
SERVICE_BACKUP_TO=/backups
SERVICE_BACKUP_KEEP=7
# Seals the secrets in each backup.
SERVICE_BACKUP_PASSPHRASE_FILE=/etc/mayday/backup-passphrase`;

/** How to enable scheduled backups. */
export function NoSchedule() {
  return (
    <Empty title="No scheduled backups">
      <p>
        Add these lines to the server's environment and restart it. It makes the first backup at once.{" "}
        <code>docs/backup.md</code> explains them, and S3-compatible storage.
      </p>
      <Snippet text={lines} label="Variables for backups" />
    </Empty>
  );
}
