import { expect, test } from "vitest";
import { isNeedless, needlessWords, wantsUpload } from "./needless.ts";

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

test("whether an upload is wanted is not guessed before the events were looked at", () => {
  const asked = (mappable_frames: number) => ({ data: { checked_events: 3, mappable_frames }, isError: false });
  const unknown = { data: undefined, isError: false };
  expect(wantsUpload(0, true, unknown)).toBeUndefined();
  expect(wantsUpload(0, true, asked(0))).toBe(false);
  expect(wantsUpload(0, true, asked(2))).toBe(true);
  expect(wantsUpload(0, true, { ...unknown, isError: true })).toBe(true);
  // Without events, or with source maps, there is nothing to wait for.
  expect(wantsUpload(0, false, unknown)).toBe(true);
  expect(wantsUpload(2, true, unknown)).toBe(false);
});

test("the first event of a release changes nothing until its frames were looked at", () => {
  const unknown = { data: undefined, isError: false };
  for (const before of [true, false]) expect(wantsUpload(0, true, unknown, before)).toBe(before);
  const none = { data: { checked_events: 1, mappable_frames: 0 }, isError: false };
  expect(wantsUpload(0, true, none, true)).toBe(false);
});
