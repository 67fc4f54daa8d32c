import { useMemo } from "react";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import type { State } from "../data/recording.ts";
import { type Moment, momentsOf } from "./moments.ts";

/** The moments of what was read; while it is being read, they are updated with a delay. */
export function useMoments({ summary, version, phase }: State, { errors }: ReplayDetails): Moment[] {
  // Thousands of clicks are not looked at again for each piece that arrives.
  const turn = phase === "loading" ? Math.floor(version / 20) : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the summary is added to in place
  return useMemo(() => momentsOf(summary, errors), [summary, errors, turn]);
}
