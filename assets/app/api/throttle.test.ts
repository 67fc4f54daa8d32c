import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first call runs at once, and the rest together after the pause", async () => {
  const seen: number[][] = [];
  const put = throttle<number>(1_000, (items) => void seen.push(items));
  for (const item of [1, 2, 3]) put(item);
  expect(seen).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(999);
  expect(seen).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([[1], [2, 3]]);
  await vi.advanceTimersByTimeAsync(1_000);
  put(4);
  expect(seen).toEqual([[1], [2, 3], [4]]);
});

test("pending values are dropped on stop", async () => {
  const seen: number[][] = [];
  const put = throttle<number>(1_000, (items) => void seen.push(items));
  put(1);
  put(2);
  put.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(seen).toEqual([[1]]);
});

test("the next run waits for the previous one, however long it takes", async () => {
  let finish = (): void => undefined;
  const seen: number[][] = [];
  const put = throttle<number>(1_000, (items) => {
    seen.push(items);
    return new Promise((done) => (finish = done));
  });
  put(1);
  put(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toEqual([[1]]);
  finish();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual([[1], [2]]);
});

test("nothing runs before the wait is over, and then everything does", async () => {
  const seen: number[][] = [];
  let until = Date.now() + 10_000;
  const put = throttle<number>(
    1_000,
    (items) => void seen.push(items),
    () => Math.max(0, until - Date.now()),
  );
  put(1);
  await vi.advanceTimersByTimeAsync(9_000);
  put(2);
  until += 5_000;
  await vi.advanceTimersByTimeAsync(5_999);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([[1, 2]]);
});
