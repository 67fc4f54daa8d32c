/** The default if `Retry-After` is unusable, in seconds. */
const usual = 60;
/** The server's rate limit windows, in seconds: no pause is longer. */
export const windows = { signIn: 15 * 60, requests: 60 * 60 } as const;

/** Seconds to wait after a 429: `Retry-After` is a number of seconds, or a date. */
export function waitOf(header: string | null, now: number, most: number = windows.signIn): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), most) : usual;
}

/** `42 s`, `4 min 05 s`. */
export function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`;
}
