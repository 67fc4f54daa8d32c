// Whether a release has anything that source maps would resolve: a service in Python, for one, has not.

import type { UnresolvedFrames } from "../../api/schema.d.ts";
import { counted } from "../../ui/format.ts";

/** `the last 50 events`. */
export const latest = (events: number) => (events === 1 ? "the latest event" : `the last ${counted(events, "event")}`);

/** Whether nothing in the last events of a release needs source maps; false while that is not known. */
export const isNeedless = (found: Pick<UnresolvedFrames, "checked_events" | "mappable_frames"> | undefined): boolean =>
  found !== undefined && found.checked_events > 0 && found.mappable_frames === 0;

/**
 * Whether a release waits for its first source maps; while that is not known, what was known `before`. The first event
 * of a release makes it unknown for a moment.
 */
export function wantsUpload(
  sourceMaps: number,
  hasEvents: boolean,
  unresolved: { data: Parameters<typeof isNeedless>[0]; isError: boolean },
  before?: boolean | undefined,
): boolean | undefined {
  if (sourceMaps > 0) return false;
  if (hasEvents && unresolved.data === undefined && !unresolved.isError) return before;
  return !isNeedless(unresolved.data);
}

/** That nothing does, and why. */
export const needlessWords = (events: number): string =>
  `Nothing here needs source maps: ${latest(events)} ${events === 1 ? "has" : "have"} no minified frames.`;
