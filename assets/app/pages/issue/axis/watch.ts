import type { Replay } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";

/** The address of a time in a replay; nothing for one that it does not show. */
export function addressOf(project: number, { replay_id, start_timestamp, end_timestamp }: Replay, time: number) {
  if (time < start_timestamp || time > end_timestamp) return undefined;
  return paths.replay(project, replay_id, Math.floor((time - start_timestamp) / 1_000));
}
