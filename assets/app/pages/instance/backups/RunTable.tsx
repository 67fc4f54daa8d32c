import type { BackupRun } from "../../../api/schema.d.ts";
import { Bytes } from "../../../ui/Bytes.tsx";
import { took } from "../../../ui/format.ts";
import settings from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { OutcomeBadge } from "../OutcomeBadge.tsx";
import classes from "./Backups.module.css";
import { tookOf } from "./standing.ts";

/** The last backup runs, newest first. `target` is the current target. */
export function RunTable({ runs, target }: { runs: BackupRun[]; target: string | undefined }) {
  return (
    <section className={settings.part} aria-labelledby="backups-runs">
      <h3 id="backups-runs">Last runs</h3>
      <table className={`${table.table} ${classes.table}`} aria-labelledby="backups-runs">
        <thead>
          <tr>
            <th scope="col">Backup</th>
            <th scope="col">Result</th>
            <th scope="col">Began</th>
            <th scope="col" className={classes.figure}>
              Duration
            </th>
            <th scope="col" className={classes.figure}>
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row key={run.id} run={run} isElsewhere={run.target !== target} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ run, isElsewhere }: { run: BackupRun; isElsewhere: boolean }) {
  const duration = tookOf(run);
  return (
    <tr>
      <td className={`${table.main} ${classes.name}`}>
        <Line text={run.name} mono />
        {isElsewhere && <span className={classes.about}>to {run.target}</span>}
        {run.error !== null && <span className={classes.error}>{run.error}</span>}
      </td>
      <td data-label="Result">
        <OutcomeBadge of={run.outcome} />
      </td>
      <td data-label="Began">
        <Time at={run.started_at} />
      </td>
      <td className={`number ${classes.figure}`} data-label={duration === undefined ? undefined : "Duration"}>
        {duration !== undefined && took(duration)}
      </td>
      <td className={classes.figure} data-label={run.size_bytes === null ? undefined : "Size"}>
        {run.size_bytes !== null && <Bytes of={run.size_bytes} />}
      </td>
    </tr>
  );
}
