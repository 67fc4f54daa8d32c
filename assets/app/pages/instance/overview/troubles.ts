import type { Health, InstanceBackups, InstanceUsage, JobStatus, MailStatus } from "../../../api/schema.d.ts";
import type { InstanceSection } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { hasFailed } from "./jobs.ts";

/** Something that an administrator should look into. */
export interface Trouble {
  /** What it is. */
  what: string;
  /** Why it is so, or what to do. */
  why: string;
  /** The page that has more about it. */
  page?: InstanceSection;
}

/** With fewer days than this until the disk is full, it is a trouble. */
const daysLeft = 14;

/** What is known; `undefined` as long as it is not. */
interface Findings {
  health: Health | undefined;
  usage: Pick<InstanceUsage, "full_in_days"> | undefined;
  backups: Pick<InstanceBackups, "schedule" | "runs"> | undefined;
  jobs: JobStatus[];
  mail: MailStatus;
}

/** What is known to be wrong with the instance, the worst first. */
export function troublesOf({ health, usage, backups, jobs, mail }: Findings): Trouble[] {
  return [
    health && ofHealth(health),
    usage && ofDisk(usage),
    backups && ofBackups(backups),
    ofJobs(jobs),
    ofMail(mail),
  ].filter((trouble) => trouble !== undefined);
}

function ofHealth({ status, reason }: Health): Trouble | undefined {
  if (status === "ok") return undefined;
  return { what: "The server does not work as it should.", why: sentence(reason ?? "read the server's log") };
}

function ofDisk({ full_in_days: days }: Pick<InstanceUsage, "full_in_days">): Trouble | undefined {
  if (days === null || days >= daysLeft) return undefined;
  const when = days === 0 ? "within a day" : `in about ${counted(days, "day")}`;
  return { what: "The disk is filling up.", why: `At this pace it is full ${when}.`, page: "usage" };
}

/** A destination that has since changed says nothing about the present one. */
function ofBackups({ schedule, runs }: Pick<InstanceBackups, "schedule" | "runs">): Trouble | undefined {
  if (schedule === null) return undefined;
  const last = runs.find(({ target, outcome }) => target === schedule.target && outcome !== "running");
  if (last?.outcome === "failed")
    return { what: "The last backup failed.", why: last.error ?? "The server's log says why.", page: "backups" };
  if (schedule.overdue_since === null) return undefined;
  return { what: "A backup is overdue.", why: "The server's log may say why.", page: "backups" };
}

function ofJobs(jobs: JobStatus[]): Trouble | undefined {
  const failed = jobs.filter(hasFailed).length;
  if (failed === 0) return undefined;
  const what = failed === 1 ? "The last run of a job failed." : `The last runs of ${counted(failed, "job")} failed.`;
  return { what, why: "The server's log says why." };
}

function ofMail({ configured, waiting, error }: MailStatus): Trouble | undefined {
  if (!configured || waiting === 0) return undefined;
  return {
    what: `${counted(waiting, "mail")} could not be sent yet.`,
    why: sentence(error ?? "the server's log says why"),
  };
}

/** The server's words for a cause, which may begin small and end without a full stop. */
const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
