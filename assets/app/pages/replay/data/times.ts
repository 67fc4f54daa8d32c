/** A replay is at most an hour long, in milliseconds. */
const longest = 3_600_000;
/** More than that may be recorded of it: what comes late, and the clock of the computer is not ours. */
const slack = 300_000;
/** Times may step back by as much: what moves is told of a little later. */
const back = 60_000;
/** A pause from which on it may be the clock that has jumped, where nothing else explains the time. */
const pause = 300_000;

/**
 * Milliseconds from the beginning, of events in their order; nothing of one that is beyond any replay. A clock that was
 * set in between makes no pause and takes nothing away: what follows goes on from where it was.
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
