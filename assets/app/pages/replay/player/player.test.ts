import type { Replayer } from "@rrweb/replay";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventType, type Recorded } from "../../../../client/replay/format.ts";
import type { Recording } from "../data/recording.ts";
import { emptySummary } from "../data/summary.ts";
import { barsOf, markersOf, momentsOf } from "./moments.ts";
import { Player } from "./player.ts";
import { spoken, timecode } from "./timecode.ts";
import { nextSpeed } from "./use-player-keys.ts";

/** The calls to rrweb, and a clock that the test moves. */
let calls: string[];
let now: number;
let finish: () => void;

const event = (timestamp: number): Recorded => ({ type: EventType.Incremental, timestamp, data: {} });

function recordingOf(duration: number) {
  const summary = { ...emptySummary(1), duration };
  const state = { phase: "loading", summary, isReady: true };
  const recording = {
    events: [event(1), event(2)],
    onEvents: undefined as ((added: Recorded[]) => void) | undefined,
    state: () => state,
    isGrowing: () => state.phase === "loading",
    subscribe: () => () => {},
  };
  return { recording, state, summary };
}

const replayer = () =>
  ({
    on: (name: string, act: () => void) => {
      if (name === "finish") finish = act;
    },
    play: (at: number) => calls.push(`play ${at}`),
    pause: (at: number) => calls.push(`pause ${at}`),
    setConfig: () => {},
    addEvent: () => calls.push("add"),
    getCurrentTime: () => now,
    destroy: () => calls.push("destroy"),
  }) as unknown as Replayer;

beforeEach(() => {
  calls = [];
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const start = (recording: object, at = 0) => new Player(recording as unknown as Recording, replayer, at);

test("playing starts at the link's time as soon as that is loaded", () => {
  const { recording, summary } = recordingOf(5_000);
  const player = start(recording, 8_000);
  expect(calls).toEqual(["pause 5000"]);
  summary.duration = 9_000;
  recording.onEvents?.([event(3)]);
  vi.runOnlyPendingTimers();
  expect(calls).toEqual(["pause 5000", "add", "pause 8000"]);
  expect(player.state().at).toBe(8_000);
});

test("at the end of what is loaded the player waits, and at the very end it stops", () => {
  const { recording, state, summary } = recordingOf(5_000);
  const player = start(recording);
  player.play();
  finish();
  expect(player.state()).toMatchObject({ isPlaying: true, isWaiting: true, at: 5_000 });
  summary.duration = 6_000;
  recording.onEvents?.([event(3)]);
  vi.advanceTimersByTime(0);
  expect(calls.at(-1)).toBe("play 5000");
  state.phase = "loaded";
  finish();
  expect(player.state()).toMatchObject({ isPlaying: false, at: 6_000 });
  player.toggle();
  expect(calls.at(-1)).toBe("play 0");
});

test("idle times are skipped, unless that is turned off", () => {
  const { recording, state, summary } = recordingOf(60_000);
  state.phase = "loaded";
  summary.actions.push(1_000, 40_000, 59_000);
  const player = start(recording);
  player.play();
  now = 5_000;
  vi.advanceTimersByTime(100);
  expect(calls.at(-1)).toBe("play 39200");
  player.setSkips(false);
  now = 10_000;
  vi.advanceTimersByTime(100);
  expect(calls.at(-1)).toBe("play 39200");
  expect(player.state().at).toBe(10_000);
});

test("errors of the recording and the server are listed once each", () => {
  const summary = { ...emptySummary(1_000), duration: 10_000 };
  summary.errors.push({ at: 2_000, eventId: "a", title: "TypeError: recorded" });
  summary.clicks.push({ at: 5_000, x: 1, y: 1, isFree: false });
  const known = (event_id: string, timestamp: number) => ({
    event_id,
    issue_id: 7,
    title: `known ${event_id}`,
    timestamp,
    received_at: new Date(timestamp).toISOString(),
  });
  const moments = momentsOf(summary, [known("a", 3_000), known("b", 4_000)], 0);
  expect(moments.map(({ at, kind, words }) => [at, kind, words])).toEqual([
    [2_000, "error", "known a"],
    [3_000, "error", "known b"],
    [5_000, "dead", "Click without effect"],
  ]);
  expect(moments[0]?.issue).toEqual({ id: 7, event: "a" });
});

test("markers that would lie on each other are one with a count, and bars are shares of the highest", () => {
  const moments = [0, 10, 9_000].map((at) => ({ at, kind: "click" as const, words: "Click" }));
  expect(markersOf(moments, 10_000).map(({ at, count }) => [at, count])).toEqual([
    [0, 2],
    [9_000, 1],
  ]);
  expect(barsOf([4, 0, 2, 0], 4_000, 4)).toEqual([1, 0, 0.5, 0]);
  expect(barsOf([], 0, 2)).toEqual([0, 0]);
});

test("times are read at a glance, and read out", () => {
  expect([7_999, 754_000, 3_723_000, -5].map(timecode)).toEqual(["0:07", "12:34", "1:02:03", "0:00"]);
  expect([1_000, 61_000, 120_000].map(spoken)).toEqual(["1 second", "1 minute 1 second", "2 minutes 0 seconds"]);
  expect([nextSpeed(1, 1), nextSpeed(8, 1), nextSpeed(0.5, -1)]).toEqual([2, 8, 0.5]);
});
