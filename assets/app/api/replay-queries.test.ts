import { expect, test } from "vitest";
import { replayPause } from "./replay-queries.ts";

const received = "2026-11-21T10:00:00Z";
/** So many seconds after the event was received. */
const at = (seconds: number) => Date.parse(received) + seconds * 1_000;

test("a replay is waited for while its event is new, and asked again until it has ended", () => {
  expect([replayPause(null, received, at(1)), replayPause(null, received, at(119))]).toEqual([5_000, 5_000]);
  expect(replayPause(null, received, at(120))).toBe(false);
  expect(replayPause({ is_live: true }, received, at(900))).toBe(30_000);
  expect(replayPause({ is_live: false }, received, at(1))).toBe(false);
});

test("nothing is asked again before the first answer, or of no event", () => {
  expect(replayPause(undefined, received, at(1))).toBe(false);
  expect(replayPause(null, "", at(1))).toBe(false);
});
