import type { JobStatus } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { Count } from "../../../ui/Count.tsx";
import { counted, took } from "../../../ui/format.ts";
import settings from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Time } from "../../../ui/Time.tsx";
import { OutcomeBadge } from "../OutcomeBadge.tsx";
import { hasFailed, inOrder, jobLabel, jobWords } from "./jobs.ts";
import classes from "./Overview.module.css";

/** The server's periodic jobs, and whether they succeed. */
export function Jobs({ jobs }: { jobs: JobStatus[] }) {
  const failed = jobs.filter(hasFailed).length;
  return (
    <section className={settings.part} aria-labelledby="overview-jobs">
      <h3 id="overview-jobs">Jobs</h3>
      <p className={settings.lead}>What the server does by itself, since its start. Its log says why a run failed.</p>
      <Alarm
        error={failed > 0 ? "Read the server's log." : undefined}
        what={failed === 1 ? "The last run of a job failed." : `The last runs of ${counted(failed, "job")} failed.`}
      />
      <table className={`${table.table} ${classes.jobs}`} aria-labelledby="overview-jobs">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Last run</th>
            <th scope="col">Began</th>
            <th scope="col" className={classes.figure}>
              Duration
            </th>
            <th scope="col" className={classes.figure}>
              Runs
            </th>
            <th scope="col" className={classes.figure}>
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {inOrder(jobs).map((job) => (
            <Row key={job.name} job={job} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ job: { name, running, runs, failures, last_run: last } }: { job: JobStatus }) {
  const outcome = running ? "running" : last === null ? "none" : last.succeeded ? "succeeded" : "failed";
  return (
    <tr>
      <td className={table.main}>
        <span>{jobLabel(name)}</span>
        <span className={classes.about}>{jobWords[name]}</span>
      </td>
      <td data-label="Last run">
        <OutcomeBadge of={outcome} />
      </td>
      <td data-label={last ? "Began" : undefined}>{last && <Time at={last.began_at} />}</td>
      <td className={`number ${classes.figure}`} data-label={last ? "Duration" : undefined}>
        {last && took(last.duration_ms)}
      </td>
      <td className={classes.figure} data-label="Runs">
        <Count of={runs} unit="runs" />
      </td>
      <td className={classes.figure} data-label="Failed">
        <Count of={failures} unit="runs failed" />
      </td>
    </tr>
  );
}
