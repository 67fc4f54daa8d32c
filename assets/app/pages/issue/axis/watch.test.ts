import { expect, test } from "vitest";
import type { Replay } from "../../../api/schema.d.ts";
import { addressOf, nearestIn } from "./watch.ts";

const replay = { replay_id: "r", start_timestamp: 10_000, end_timestamp: 70_000 } as Replay;

test("a time leads to its second of the replay, if that shows it", () => {
  expect(addressOf(1, replay, 12_900)).toMatch(/\/replays\/r\?t=2$/);
  expect(addressOf(1, replay, 9_999)).toBeUndefined();
  expect(addressOf(1, replay, 70_001)).toBeUndefined();
});

test("the player goes to a time, or as near to it as the replay goes", () => {
  expect([9_000, 10_000, 12_345, 70_000, 90_000].map((time) => nearestIn(replay, time))).toEqual([
    0, 0, 2_345, 60_000, 60_000,
  ]);
});
