import { expect, test } from "vitest";
import type { BackupRun } from "../../../api/schema.d.ts";
import { tookOf } from "./standing.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 3, minute)).toISOString();
const run = (outcome: BackupRun["outcome"], ended: string | null): BackupRun => ({
  id: 1,
  target: "/backups",
  name: "mayday-0123456789ab-20261123T030000Z.tar.zst",
  outcome,
  started_at: at(0),
  ended_at: ended,
  size_bytes: null,
  error: null,
});

test("a run's duration is never negative, even if the clock was set back", () => {
  expect(tookOf(run("succeeded", at(2)))).toBe(120_000);
  expect(tookOf(run("running", null))).toBeUndefined();
  expect(tookOf({ ...run("failed", at(0)), started_at: at(5) })).toBe(0);
});
