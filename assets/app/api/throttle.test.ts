import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first goes through at once, the rest together after the pause", () => {
  const seen: number[][] = [];
  const put = throttle<number>(1_000, (items) => seen.push(items));
  for (const item of [1, 2, 3]) put(item);
  expect(seen).toEqual([[1]]);
  vi.advanceTimersByTime(999);
  expect(seen).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([[1], [2, 3]]);
  vi.advanceTimersByTime(1_000);
  put(4);
  expect(seen).toEqual([[1], [2, 3], [4]]);
});

test("what waits is dropped when it is stopped", () => {
  const seen: number[][] = [];
  const put = throttle<number>(1_000, (items) => seen.push(items));
  put(1);
  put(2);
  put.stop();
  vi.advanceTimersByTime(5_000);
  expect(seen).toEqual([[1]]);
});
