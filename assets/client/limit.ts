/** The time within which the same error is sent once, in milliseconds. */
const SAME = 1_000;
const MINUTE = 60_000;

/**
 * Decides whether an event is sent now: at most `most` in a minute, because an error in an animation frame would be
 * sent 3,600 times. `key` identifies the error; times are in milliseconds.
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
    // The count is checked first, because it limits the number of keys.
    if (sent >= most || seen.indexOf(key) >= 0) return false;
    sent += 1;
    seen.push(key);
    return true;
  };
}
