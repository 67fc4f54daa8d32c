import type { JobStatus } from "../../../api/schema.d.ts";
import { Count } from "../../../ui/Count.tsx";
import { counted, took } from "../../../ui/format.ts";
import settings from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Time } from "../../../ui/Time.tsx";
import { OutcomeBadge } from "../OutcomeBadge.tsx";
import { hasFailed, inOrder, jobLabel, jobWords } from "./jobs.ts";
import classes from "./Overview.module.css";

/** The server's periodic jobs: those that failed, and behind a line all others. */
export function Jobs({ jobs }: { jobs: JobStatus[] }) {
  const failed = jobs.filter(hasFailed);
  const others = jobs.filter((job) => !hasFailed(job));
  return (
    <section className={settings.part} aria-labelledby="overview-jobs">
      <h3 id="overview-jobs">Jobs</h3>
      <p className={settings.lead}>
        What the server does by itself, since its start.{" "}
        {failed.length > 0 ? "Its log says why a run failed." : "None failed the last time it ran."}
      </p>
      {failed.length > 0 && <Table of={failed} label="Failed jobs" />}
      <details className={classes.others}>
        <summary>{counted(others.length, failed.length > 0 ? "other job" : "job")}</summary>
        <Table of={others} label="Jobs" />
      </details>
    </section>
  );
}

function Table({ of, label }: { of: JobStatus[]; label: string }) {
  return (
    <table className={`${table.table} ${classes.jobs}`} aria-label={label}>
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
        {inOrder(of).map((job) => (
          <Row key={job.name} job={job} />
        ))}
      </tbody>
    </table>
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
