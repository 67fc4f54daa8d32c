import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, follow } from "./use-tail-stream.ts";

class Stream extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;
  constructor() {
    super();
    Stream.all.push(this);
  }
  open() {
    this.readyState = Stream.OPEN;
    this.onopen?.();
  }
  /** As browsers do: it connects again by itself. */
  lose() {
    this.readyState = 0;
    this.onerror?.();
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
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("location", { hostname: "mayday.example" });
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
  Stream.all[0]?.open();
  return { said, end };
}

/** As browsers do when the network goes or comes. */
function network(onLine: boolean) {
  vi.stubGlobal("navigator", { onLine });
  window.dispatchEvent(new Event(onLine ? "online" : "offline"));
}

test("a tail is lost as soon as the browser is offline, and connects once it is back", () => {
  const { said, end } = live();
  network(false);
  expect(said).toEqual(["connecting", "open", "lost"]);
  expect(Stream.all.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED]);
  network(true);
  Stream.all[1]?.open();
  expect(said.slice(3)).toEqual(["connecting", "open"]);
  vi.runAllTimers();
  expect(Stream.all.length).toBe(2);
  end();
});

test("a tail does not try while the browser is offline, and connects at once when it is back", () => {
  const { said, end } = live();
  network(false);
  vi.advanceTimersByTime(60_000);
  expect(Stream.all.length).toBe(1);
  expect(said.at(-1)).toBe("lost");
  network(true);
  Stream.all[1]?.open();
  expect(said.slice(-2)).toEqual(["connecting", "open"]);
  end();
});

test("a tail that begins offline connects when the browser is back", () => {
  vi.stubGlobal("navigator", { onLine: false });
  const { said, end } = live();
  expect(said).toEqual(["lost"]);
  network(true);
  Stream.all[0]?.open();
  expect(said).toEqual(["lost", "connecting", "open"]);
  end();
});

test("a stream that is still connecting when the browser is back makes room for a new one", () => {
  const { end } = live();
  Stream.all[0]?.lose();
  network(true);
  expect(Stream.all.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED, 0]);
  Stream.all[1]?.open();
  network(true);
  expect(Stream.all.length).toBe(2);
  end();
});

test("being offline costs the tail of a server on the same computer a second", () => {
  vi.stubGlobal("location", { hostname: "127.0.0.1" });
  const { said, end } = live();
  network(false);
  vi.advanceTimersByTime(1_000);
  Stream.all[1]?.open();
  expect(said.slice(2)).toEqual(["lost", "connecting", "open"]);
  end();
});

test("a tail that has ended does not connect again", () => {
  const { end } = live();
  network(false);
  end();
  network(true);
  vi.runAllTimers();
  expect(Stream.all.length).toBe(1);
});

test("numbers of an entry that no double holds come as they were sent", () => {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  const heard: unknown[] = [];
  const end = follow(
    "/tail",
    (messages) => heard.push(...messages),
    () => undefined,
  );
  const data = '{"attributes":{"id":9007199254740993}}';
  Stream.all[0]?.dispatchEvent(new MessageEvent("logs", { data }));
  vi.advanceTimersByTime(16);
  expect(JSON.stringify(heard)).toBe(`[${data}]`);
  end();
});
