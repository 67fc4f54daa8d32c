/** How far times may step back, in milliseconds, because some events are reported a little late. */
const BACK = 2_000;

/**
 * A clock in milliseconds since the epoch that continues from where it was when the computer's clock is set back.
 * Otherwise a recording would end before it began.
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
