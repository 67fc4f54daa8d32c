import type { BackupRun, BackupSchedule, BackupSecrets } from "../../../api/schema.d.ts";
import { Bytes } from "../../../ui/Bytes.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { isRunning } from "./standing.ts";

const secretWords: Record<BackupSecrets, string> = {
  sealed: "sealed with the passphrase",
  included: "included: keep these backups as safe as the server",
  left_out: "left out: keep secrets.env elsewhere",
};

interface Props {
  schedule: BackupSchedule;
  lastSuccess: BackupRun | null;
  runs: BackupRun[];
}

/** When, where to and how backups are made. */
export function Schedule({ schedule, lastSuccess, runs }: Props) {
  return (
    <dl className={settings.facts}>
      <dt>Schedule</dt>
      <dd>
        <code>{schedule.cron}</code> in {schedule.time_zone}
      </dd>
      <dt>Destination</dt>
      <dd>
        <Line text={schedule.target} mono />
      </dd>
      <dt>Kept</dt>
      <dd>{schedule.keep === 1 ? "the newest" : `the newest ${schedule.keep}`}</dd>
      <dt>Secrets</dt>
      <dd>{secretWords[schedule.secrets] ?? schedule.secrets}</dd>
      <dt>Last success</dt>
      <dd>
        {lastSuccess === null ? (
          "none yet"
        ) : (
          <span>
            <Time at={lastSuccess.started_at} />
            {lastSuccess.size_bytes !== null && (
              <>
                , <Bytes of={lastSuccess.size_bytes} />
              </>
            )}
          </span>
        )}
      </dd>
      <dt>Next</dt>
      <dd>
        <Next at={schedule.next_run_at} runs={runs} />
      </dd>
    </dl>
  );
}

function Next({ at, runs }: { at: string | null; runs: BackupRun[] }) {
  if (isRunning(runs)) return "one is being made now";
  return at === null ? "never: no time matches the schedule" : <Time at={at} />;
}
