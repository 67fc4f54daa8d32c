import { expect, test } from "vitest";
import type { BackupRun, BackupSchedule, JobStatus } from "../../../api/schema.d.ts";
import { inOrder, jobLabel } from "./jobs.ts";
import { methodNames } from "./methods.ts";
import { troublesOf } from "./troubles.ts";

const job = (name: string, succeeded?: boolean): JobStatus => ({
  name,
  running: false,
  runs: 1,
  failures: 0,
  last_run: succeeded === undefined ? null : { began_at: "2026-11-23T03:00:00Z", duration_ms: 1, succeeded },
});

const fine = {
  health: { status: "ok", version: "1.0.0" } as const,
  usage: { full_in_days: null },
  backups: { schedule: null, runs: [] },
  jobs: [job("a", true), job("b")],
  mail: { configured: true, waiting: 0, waiting_since: null, error: null },
};

test("an instance is healthy, or says what is wrong and where to look", () => {
  expect(troublesOf(fine)).toEqual([]);
  const run = (outcome: "failed" | "succeeded", target = "/backups") =>
    ({ outcome, target, error: "No room" }) as BackupRun;
  const schedule = { target: "/backups", overdue_since: null } as BackupSchedule;
  const troubles = troublesOf({
    health: { status: "degraded", reason: "the database cannot be written to" },
    usage: { full_in_days: 3 },
    backups: { schedule, runs: [run("failed"), run("succeeded")] },
    jobs: [job("a", false), job("b", false), job("c", true)],
    mail: { ...fine.mail, waiting: 2, error: "refused" },
  });
  expect(troubles.map(({ what, why, page }) => [what, why, page])).toEqual([
    ["The server does not work as it should.", "The database cannot be written to.", undefined],
    ["The disk is filling up.", "At this pace it is full in about 3 days.", "usage"],
    ["The last backup failed.", "No room", "backups"],
    ["The last runs of 2 jobs failed.", "The server's log says why.", undefined],
    ["2 mails could not be sent yet.", "Refused.", undefined],
  ]);
  // What failed elsewhere, or is far off, is none.
  const elsewhere = { schedule, runs: [run("failed", "/other")] };
  expect(troublesOf({ ...fine, backups: elsewhere, usage: { full_in_days: 14 } })).toEqual([]);
  const overdue = { schedule: { ...schedule, overdue_since: "2026-11-23T03:00:00Z" }, runs: [] };
  expect(troublesOf({ ...fine, backups: overdue }).map(({ what }) => what)).toEqual(["A backup is overdue."]);
});

test("what is known to be wrong is said before, and without, the rest", () => {
  const health = { status: "degraded", reason: "the database cannot be written to" } as const;
  const troubles = troublesOf({ ...fine, health, usage: undefined, backups: undefined });
  expect(troubles.map(({ why }) => why)).toEqual(["The database cannot be written to."]);
  expect(troublesOf({ ...fine, health: undefined })).toEqual([]);
});

test("jobs are sorted by name", () => {
  const names = inOrder([job("b", true), job("c", false), job("a")]).map(({ name }) => name);
  expect(names).toEqual(["a", "b", "c"]);
  expect(jobLabel("update_check")).toBe("Update check");
});

test("sign-in methods have the names of their buttons", () => {
  const sso = { enabled: true, display_name: "Acme ID" };
  expect(methodNames({ password_login: true, github: true, sso })).toEqual([
    "e-mail and password",
    "Acme ID",
    "GitHub",
  ]);
  expect(methodNames({ password_login: false, github: false, sso: { ...sso, enabled: false } })).toEqual([]);
});
