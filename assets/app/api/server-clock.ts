/** Differences that may be the way of an answer and the whole seconds of its header, in milliseconds. */
const small = 3_000;

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;

/** Notes what an answer's `Date` says; what is no time says nothing. */
export function noteServerTime(date: string | null, now = Date.now()): void {
  const difference = Date.parse(date ?? "") - now;
  if (Number.isFinite(difference)) ahead = Math.abs(difference) <= small ? 0 : difference;
}

/** The server's time, in milliseconds since the epoch: what was just sent is not in its future. */
export const serverNow = (now = Date.now()): number => now + ahead;
