import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, follow } from "./use-tail-stream.ts";

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onopen?: () => void;
  onerror?: () => void;
  constructor() {
    super();
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
}

beforeEach(() => {
  Stream.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A tail that is live, what it has said, and how to end it. */
function live() {
  const said: Connection[] = [];
  const end = follow(
    "/tail",
    () => undefined,
    (connection) => said.push(connection),
  );
  Stream.all[0]?.onopen?.();
  return { said, end };
}

test("a tail is lost as soon as the browser is offline, and connects once it is back", () => {
  const { said, end } = live();
  window.dispatchEvent(new Event("offline"));
  expect(said).toEqual(["connecting", "open", "lost"]);
  expect(Stream.all.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED]);
  window.dispatchEvent(new Event("online"));
  Stream.all[1]?.onopen?.();
  expect(said.slice(3)).toEqual(["connecting", "open"]);
  vi.runAllTimers();
  expect(Stream.all.length).toBe(2);
  end();
});

test("a browser that is wrong about being offline costs the tail a second", () => {
  const { said, end } = live();
  window.dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(1_000);
  Stream.all[1]?.onopen?.();
  expect(said.slice(2)).toEqual(["lost", "connecting", "open"]);
  end();
});

test("a tail that has ended does not connect again", () => {
  const { end } = live();
  window.dispatchEvent(new Event("offline"));
  end();
  window.dispatchEvent(new Event("online"));
  vi.runAllTimers();
  expect(Stream.all.length).toBe(1);
});
