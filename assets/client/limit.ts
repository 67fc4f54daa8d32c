/** Milliseconds in which the same error is sent once. */
const SAME = 1_000;
const MINUTE = 60_000;

/**
 * Decides whether an event is sent now: `most` in a minute, since an error in an animation frame would
 * be 3,600. `key` tells errors apart; times are in milliseconds.
 */
export function limiter(most: number): (key: string, now: number) => boolean {
  let seen: string[] = [];
  let seenSince = -SAME;
  let sent = 0;
  let sentSince = -MINUTE;
  return (key, now) => {
    if (now - seenSince >= SAME) {
      seen = [];
      seenSince = now;
    }
    if (now - sentSince >= MINUTE) {
      sent = 0;
      sentSince = now;
    }
    // The count comes first: it bounds the keys that are kept.
    if (sent >= most || seen.indexOf(key) >= 0) return false;
    sent += 1;
    seen.push(key);
    return true;
  };
}
