import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limited, limitedFor, unlimited } from "./limited.ts";
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
