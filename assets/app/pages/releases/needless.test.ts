import { expect, test } from "vitest";
import { isNeedless, needlessWords } from "./needless.ts";

test("a release needs no source maps once it has events, none of which has a frame for them", () => {
  expect(isNeedless(undefined)).toBe(false);
  expect(isNeedless({ checked_events: 0, mappable_frames: 0 })).toBe(false);
  expect(isNeedless({ checked_events: 3, mappable_frames: 1 })).toBe(false);
  expect(isNeedless({ checked_events: 3, mappable_frames: 0 })).toBe(true);
});

test("the reason counts the events that were looked at", () => {
  expect(needlessWords(1)).toBe("Nothing here needs source maps: the latest event has no minified frames.");
  expect(needlessWords(50)).toBe("Nothing here needs source maps: the last 50 events have no minified frames.");
});
