import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limited, limitedFor, limitPerHour, mostOf, unlimited } from "./limited.ts";
import { liveWait } from "./refresh.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  unlimited();
  vi.useRealTimers();
});

test("live refetching pauses for as long as the server asks", () => {
  expect(liveWait()).toBe(0);
  limited(90);
  expect(liveWait()).toBe(90_000);
  vi.advanceTimersByTime(60_000);
  expect(liveWait()).toBe(30_000);
  vi.advanceTimersByTime(30_000);
  expect(liveWait()).toBe(0);
});

test("a shorter pause does not end a longer one, and signing out ends it", () => {
  limited(90);
  limited(5);
  expect(limitedFor()).toBe(90_000);
  unlimited();
  expect(limitedFor()).toBe(0);
});

test("the limit is known if the server says it", () => {
  limited(5, mostOf("1000"));
  expect(limitPerHour()).toBe(1000);
  for (const header of [null, "", "0", "many"]) {
    limited(5, mostOf(header));
    expect(limitPerHour(), String(header)).toBeUndefined();
  }
});
