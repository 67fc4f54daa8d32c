import type { JobStatus } from "../../../api/schema.d.ts";

/** Descriptions of jobs, by their names on the server. */
export const jobWords: Record<string, string> = {
  account_notices: "Mails people about changes to their account",
  alert_counts: "Counts events and log entries for alert rules",
  alerts: "Turns what happened into messages of alert rules",
  alerts_sweep: "Removes old entries of what alert rules sent",
  audit_log: "Removes audit log entries that are too old or too many",
  automation_events: "Removes old calls of automations",
  automation_schedules: "Calls automations at their times",
  automations: "Turns what happened into calls of automations",
  backup: "Makes backups on the schedule",
  busiest_accounts: "Finds the accounts with the most events",
  connection_checks: "Asks whether connected services still take the credentials",
  deleted_projects: "Finishes deleting projects",
  deliveries: "Sends mail",
  disk: "Checks the free space on the disk",
  disk_shares: "Forgets how much each project has sent, a little at a time",
  escalating_issues: "Finds issues with far more events than usual",
  free_pages: "Gives freed space in the databases back to the disk",
  heartbeat: "Sends the anonymous heartbeat",
  ignored_issues: "Reopens issues that were ignored until a time",
  issue_texts: "Frees memory of the issue search",
  late_source_maps: "Resolves events again after source maps came late",
  logs: "Removes log entries of deleted projects",
  mail_digests: "Mails at the end of an hour what was too much for it",
  notifications: "Turns what happened into notifications",
  project_keys: "Stores when keys were last used",
  pull_request_states: "Asks GitLab, Gitea and Forgejo what became of pull requests",
  release_users: "Forgets who used a release, 90 days after its last event",
  replay_files: "Removes files that no replay needs",
  retention: "Removes events and log entries beyond the limits",
  weekly_reports: "Mails people a report of their week, if they want one",
  session_leases: "Takes sessions back from runners that are gone",
  session_runners: "Ends sessions that no runner could take",
  shrink: "Shrinks the databases while the disk is nearly full",
  sign_ins: "Removes expired sessions and links",
  signals: "Removes what every consumer has read",
  ticket_states: "Asks whether tickets were closed",
  tickets: "Makes tickets, and tells them that their issue was resolved",
  update_check: "Asks whether there is a newer release",
  usage: "Measures what the disk holds",
};

/** `update_check` as people read it. */
export function jobLabel(name: string): string {
  const words = name === "sign_ins" ? "sign-ins" : name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Sorted by name. */
export const inOrder = (jobs: JobStatus[]): JobStatus[] => jobs.toSorted((a, b) => a.name.localeCompare(b.name));

export const hasFailed = ({ last_run }: JobStatus): boolean => last_run?.succeeded === false;
