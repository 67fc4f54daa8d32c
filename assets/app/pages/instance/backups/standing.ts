import type { BackupRun } from "../../../api/schema.d.ts";

export const isRunning = (runs: BackupRun[]): boolean => runs[0]?.outcome === "running";

/** The duration of a run in milliseconds; undefined while it is in progress. */
export const tookOf = ({ started_at, ended_at }: BackupRun): number | undefined =>
  ended_at === null ? undefined : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
