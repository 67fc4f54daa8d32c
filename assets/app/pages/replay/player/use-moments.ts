import { useMemo } from "react";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { lagOf } from "../data/clock.ts";
import type { State } from "../data/recording.ts";
import { type Moment, momentsOf } from "./moments.ts";

/** The moments of what has been read; while it is being read, they follow a little behind. */
export function useMoments({ summary, version, phase }: State, replay: ReplayDetails): Moment[] {
  const { errors } = replay;
  const lag = lagOf(replay);
  // Thousands of clicks are not looked at again for each piece that arrives.
  const turn = phase === "loading" ? Math.floor(version / 20) : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the summary is added to in place
  return useMemo(() => momentsOf(summary, errors, lag), [summary, errors, lag, turn]);
}
