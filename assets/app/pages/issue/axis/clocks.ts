// The clocks of an error: the browser's, which may be wrong, and the servers'.

import type { Event, LogEntry, Replay } from "../../../api/schema.d.ts";
import { isOfBrowser } from "../../replay/data/clock.ts";

type Received = Pick<LogEntry, "timestamp" | "received_at">;

export interface Clocks {
  /** How far the browser's was behind the servers', in milliseconds; below zero, ahead. 0: no difference is known. */
  lag: number;
  /** Whether the error goes by the browser's. */
  isBrowsers: boolean;
}

export const sameClocks: Clocks = { lag: 0, isBrowsers: true };

const delayOf = ({ timestamp, received_at }: Received): number => Date.parse(received_at) - Date.parse(timestamp);

export const clocksOf = (event: Pick<Event, "timestamp" | "received_at">, lag: number): Clocks =>
  lag === 0 ? sameClocks : { lag, isBrowsers: isOfBrowser(delayOf(event), lag) };

/** What is added to the time of something for it to be by the error's clock. */
export function offOf(entry: Received, { lag, isBrowsers }: Clocks): number {
  if (lag === 0 || isOfBrowser(delayOf(entry), lag) === isBrowsers) return 0;
  return isBrowsers ? -lag : lag;
}

/** A replay with its times, which are the browser's, by the error's clock. */
export function byClock<R extends Pick<Replay, "start_timestamp" | "end_timestamp">>(
  replay: R,
  { lag, isBrowsers }: Clocks,
): R {
  if (lag === 0 || isBrowsers) return replay;
  return {
    ...replay,
    start_timestamp: replay.start_timestamp + lag,
    end_timestamp: replay.end_timestamp + lag,
  };
}
