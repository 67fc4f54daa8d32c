import { expect, test } from "vitest";
import type { LogEntry, Replay } from "../../../api/schema.d.ts";
import { event } from "../samples.ts";
import { byClock, clocksOf, offOf } from "./clocks.ts";
import { momentsOf } from "./moments.ts";
import { nearestIn } from "./watch.ts";

const time = Date.parse(event().timestamp);
const iso = (seconds: number) => new Date(time + seconds * 1_000).toISOString();
/** Something by whichever clock, so many seconds after the error's time, received some seconds later. */
const sent = (seconds: number, delay: number) => ({ timestamp: iso(seconds), received_at: iso(seconds + delay) });

test("beside an error of a page, what servers say is moved to the browser's clock", () => {
  const clocks = clocksOf(sent(0, -60), -60_000);
  expect(clocks).toEqual({ lag: -60_000, isBrowsers: true });
  expect([offOf(sent(-1, -59), clocks), offOf(sent(-61, 0.1), clocks)]).toEqual([0, 60_000]);
  const replay = { start_timestamp: time - 5_000, end_timestamp: time + 5_000 } as Replay;
  expect(byClock(replay, clocks)).toBe(replay);
});

test("beside an error of a server, the page and its replay are moved to the servers' clock", () => {
  const clocks = clocksOf(sent(0, 0.1), -60_000);
  expect(clocks.isBrowsers).toBe(false);
  expect([offOf(sent(59, -58), clocks), offOf(sent(-1, 0.1), clocks)]).toEqual([-60_000, 0]);
  // It began five seconds before the error, by the browser's clock 55 seconds after it.
  const replay = { start_timestamp: time + 55_000, end_timestamp: time + 90_000 } as Replay;
  expect(nearestIn(byClock(replay, clocks), time)).toBe(5_000);
});

test("without a difference nothing is moved", () => {
  const clocks = clocksOf(sent(0, -60), 0);
  expect(offOf(sent(-61, 900), clocks)).toBe(0);
});

test("the log of a server lies where it happened, and keeps its own time", () => {
  const log = { ...sent(-61, 0.1), id: 7, level: "info", message: "charged" } as LogEntry;
  const clocks = clocksOf(sent(0, -60), -60_000);
  const [moment] = momentsOf(event(), [log], clocks);
  expect([moment?.at, moment?.off]).toEqual([-1_000, 60_000]);
  expect(momentsOf(event(), [log])[0]?.at).toBe(-61_000);
});
