import { afterEach, expect, test, vi } from "vitest";
import { watchCut } from "./use-cut.ts";

afterEach(() => vi.unstubAllGlobals());

/** Stands in for the browser's observer; `resize` is a change of size. */
function watched() {
  const seen = { observed: [] as unknown[], isOver: false, resize: () => {} };
  class Observer {
    constructor(measure: () => void) {
      seen.resize = measure;
    }
    observe(element: unknown) {
      seen.observed.push(element);
    }
    disconnect() {
      seen.isOver = true;
    }
  }
  vi.stubGlobal("ResizeObserver", Observer);
  return seen;
}

const boxOf = (scrollHeight: number, clientHeight: number) => ({ scrollHeight, clientHeight }) as HTMLElement;

test("a text is cut as soon as it is higher than its frame, and no longer when it fits", () => {
  const seen = watched();
  const told: boolean[] = [];
  const frame = { scrollHeight: 61, clientHeight: 60 };
  const content = boxOf(61, 61);
  const stop = watchCut(frame as HTMLElement, content, (isCut) => void told.push(isCut));
  expect(told).toEqual([false]);
  frame.scrollHeight = 80;
  seen.resize();
  frame.clientHeight = 80;
  seen.resize();
  expect(told).toEqual([false, true, false]);
  expect(seen.observed).toEqual([frame, content]);
  stop();
  expect(seen.isOver).toBe(true);
});

test("a frame that is its own text is watched alone", () => {
  const seen = watched();
  const told: boolean[] = [];
  const frame = boxOf(80, 40);
  watchCut(frame, null, (isCut) => void told.push(isCut));
  expect(told).toEqual([true]);
  expect(seen.observed).toEqual([frame]);
});
