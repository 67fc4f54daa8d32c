// The clock of a replay's browser beside the server's. A recording keeps the browser's times.

import type { Replay } from "../../../api/schema.d.ts";
import { exact } from "../../../ui/format.ts";

export interface Clock {
  /** When the recording begins by the browser's clock, in milliseconds since the epoch. */
  start: number;
  /** How far that was behind the server's, in milliseconds; below zero, ahead. */
  lag: number;
}

/** Milliseconds by which clocks of servers differ: something may seem to be received as much before it happened. */
const skew = 2_500;
/** What a page says is gathered for so long, and on its way. */
const gathered = 6_000;
/** From so much on, what is known of a clock that is behind may be an estimate. */
const estimated = 60_000;
/** That comes from parts that were gathered for a while; others may be received as much sooner. Else, it is rounded. */
const sooner = { estimated: 15_000, rounded: 1_000 };

/** The difference, in whole seconds: while a replay is live, it still changes a little. */
export const lagOf = ({ clock_lag_ms }: Pick<Replay, "clock_lag_ms">): number =>
  Math.round((clock_lag_ms ?? 0) / 1_000) * 1_000;

/** By how much a clock may be ahead, and behind, for the server to believe it: else it tells the times of receipt. */
const believed = [3_600_000, 30 * 86_400_000] as const;

/** The difference where the times that the server tells are the browser's; 0 where they are its own. */
export function believedLagOf(replay: Pick<Replay, "clock_lag_ms">): number {
  const lag = lagOf(replay);
  return lag < -believed[0] || lag > believed[1] ? 0 : lag;
}

type Begun = Pick<Replay, "start_timestamp" | "received_at" | "clock_lag_ms">;

/** When a replay began by the server's clock: never later than its first part was received. */
export const begunAt = ({ start_timestamp, received_at, clock_lag_ms }: Begun): number =>
  Math.min(start_timestamp + believedLagOf({ clock_lag_ms }), Date.parse(received_at));

/**
 * Whether something that was received so late goes by the browser's clock, which was off, and not by a server's. Where
 * they differ by less than it takes to gather what is said, both may be: then it is taken for the browser's.
 */
export function isOfBrowser(delay: number, lag: number): boolean {
  if (lag < 0) return delay < Math.max(-skew, lag + gathered);
  return delay >= lag - (lag < estimated ? sooner.rounded : sooner.estimated);
}

/** When something happened, in milliseconds from the beginning of the recording, by whichever clock it goes. */
export function atOf(time: number, receivedAt: number, { start, lag }: Clock): number {
  const at = time - start;
  return lag === 0 || isOfBrowser(receivedAt - time, lag) ? at : at - lag;
}

/** The times, by either clock, of what happened in so many milliseconds of the recording, or that much around it. */
export function spanOf({ start, lag }: Clock, duration: number, slack = 0): [from: number, to: number] {
  return [Math.max(0, start + Math.min(0, lag) - slack), start + duration + Math.max(0, lag) + slack];
}

type ReplayTimes = Pick<Replay, "clock_lag_ms" | "start_timestamp">;

/** What is said where the clocks differ; nothing before the recording is there. */
export function clockNote(replay: ReplayTimes, start: number): string | undefined {
  const lag = lagOf(replay);
  if (lag === 0 || start === 0) return undefined;
  const off = replay.start_timestamp - start;
  // The server does not believe every clock.
  const whose = Math.abs(off) <= Math.abs(off - lag) ? "browser’s" : "server’s";
  return `${differenceOf(lag)}; times in the recording are the ${whose}, and logs of both are lined up.`;
}

/** By how much the clocks differ, as the beginning of a sentence. */
export const differenceOf = (lag: number): string =>
  `The browser’s clock was about ${about(Math.abs(lag))} ${lag < 0 ? "ahead of" : "behind"} the server’s`;

/** `12 s`, `3 min`, `5 h`, `40 days`. */
function about(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 1) return `${Math.round(milliseconds / 1_000)} s`;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${exact(Math.round(hours / 24))} days`;
}
