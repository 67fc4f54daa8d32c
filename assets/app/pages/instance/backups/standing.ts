import type { BackupRun } from "../../../api/schema.d.ts";

export const isRunning = (runs: BackupRun[]): boolean => runs[0]?.outcome === "running";

/** How long a run took, in milliseconds; nothing while it is under way. */
export const tookOf = ({ started_at, ended_at }: BackupRun): number | undefined =>
  ended_at === null ? undefined : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
