import type { Replay } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";

type Extent = Pick<Replay, "start_timestamp" | "end_timestamp">;

/** The address of a time in a replay; nothing for one that it does not show. */
export function addressOf(project: number, { replay_id, start_timestamp, end_timestamp }: Replay, time: number) {
  if (time < start_timestamp || time > end_timestamp) return undefined;
  return paths.replay(project, replay_id, Math.floor((time - start_timestamp) / 1_000));
}

/** The moment of a replay that is nearest to a time, in milliseconds from its beginning. */
export const nearestIn = ({ start_timestamp, end_timestamp }: Extent, time: number): number =>
  Math.max(0, Math.min(time, end_timestamp) - start_timestamp);
