/** A replay is at most an hour long, in milliseconds. */
const longest = 3_600_000;
/** The tolerance for late events and another clock, in milliseconds. */
const slack = 300_000;
/** How far times may step back, because movements are reported a little late, in milliseconds. */
const back = 60_000;
/** The length of a pause from which on it may be a jump of the clock, if nothing else explains the time. */
const pause = 300_000;

/**
 * Converts the times of events, in order, to milliseconds from the beginning; undefined for an event beyond any
 * replay. If the clock was set in between, the times continue from where they were.
 */
export function timesFromStart(): (timestamp: number) => number | undefined {
  let start: number | undefined;
  let latest = 0;
  return (timestamp) => {
    start ??= timestamp;
    const at = timestamp - start;
    const isBack = at < latest - back;
    const isAhead = at > latest + longest || (at > longest + slack && at > latest + pause);
    if (isBack || isAhead) {
      start = timestamp - latest;
      return latest;
    }
    if (at > longest + slack) return undefined;
    latest = Math.max(latest, at);
    return Math.max(0, at);
  };
}
