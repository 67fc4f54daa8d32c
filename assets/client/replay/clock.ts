/** Milliseconds by which times may step back: what happened is told of a little later. */
const BACK = 2_000;

/**
 * Times in milliseconds since the epoch that go on from where they were when somebody sets the computer's clock back.
 * What was recorded would end before it began otherwise.
 */
export function steady(): (time?: number) => number {
  let shift = 0;
  let latest = 0;
  return (time = Date.now()) => {
    if (time + shift < latest - BACK) shift = latest - time;
    latest = Math.max(latest, time + shift);
    return time + shift;
  };
}
