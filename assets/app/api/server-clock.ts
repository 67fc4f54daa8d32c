/** Smaller differences may come from the response's latency and the whole seconds of its header, in milliseconds. */
const small = 3_000;

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;

/** Measures the difference from a response's `Date` header; ignores an invalid one. */
export function noteServerTime(date: string | null, now = Date.now()): void {
  const difference = Date.parse(date ?? "") - now;
  if (Number.isFinite(difference)) ahead = Math.abs(difference) <= small ? 0 : difference;
}

/** The server's time, in milliseconds since the epoch, so that nothing just sent lies in its future. */
export const serverNow = (now = Date.now()): number => now + ahead;
