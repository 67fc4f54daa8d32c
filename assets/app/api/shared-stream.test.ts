import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Tools, joinStream } from "./shared-stream.ts";
import type { StreamEvent, StreamHandler } from "./stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all pending messages and locks be processed. */
const settle = () => vi.advanceTimersByTimeAsync(1);
const message = (id: string): StreamEvent => ({
  kind: "message",
  message: { type: "issue", id, data: `{"ids":[${id}],"more":false}` },
});
const told = (heard: StreamEvent[]) => heard.map((each) => (each.kind === "message" ? each.message.id : each.kind));

/** A fake browser: locks and channels for its tabs, and the streams that they opened. */
class Browser implements Tools {
  readonly open = new Map<string, StreamHandler>();
  #holders = new Map<string, { stolen: () => void }>();
  #queue: (() => void)[] = [];
  #channels = new Set<{ name: string; onmessage: ((event: MessageEvent) => void) | null }>();

  locks = {
    request: (name: string, { steal, signal }: LockOptions, run: () => Promise<void>) =>
      new Promise<void>((done, fail) => {
        const aborted = () => fail(Object.assign(new Error("aborted"), { name: "AbortError" }));
        const grant = () => {
          const holder = { stolen: aborted };
          this.#holders.set(name, holder);
          void run().then(() => {
            done();
            if (this.#holders.get(name) !== holder) return;
            this.#holders.delete(name);
            this.#queue.shift()?.();
          });
        };
        if (steal) this.#holders.get(name)?.stolen();
        if (steal || !this.#holders.has(name)) return grant();
        this.#queue.push(grant);
        signal?.addEventListener("abort", () => {
          const at = this.#queue.indexOf(grant);
          if (at >= 0) this.#queue.splice(at, 1);
          aborted();
        });
      }),
  };

  channel(name: string) {
    const channel = {
      name,
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage: (data: unknown) => {
        for (const other of this.#channels) {
          if (other !== channel && other.name === name)
            queueMicrotask(() => other.onmessage?.({ data: structuredClone(data) } as MessageEvent));
        }
      },
      close: () => void this.#channels.delete(channel),
    };
    this.#channels.add(channel);
    return channel;
  }

  /** A tab that knows the stream up to `last`. */
  tab(name: string, last?: string, isWhole = false) {
    const heard: StreamEvent[] = [];
    const hear = (each: StreamEvent) => {
      heard.push(each);
      if (each.kind === "message") last = each.message.id;
    };
    const open = (say: StreamHandler) => {
      this.open.set(name, say);
      return () => void this.open.delete(name);
    };
    return { heard, leave: joinStream({ name: "stream", open, last: () => last, isWhole, hear }, this) };
  }

  /** Sends a message of the server to the tab that holds the stream. */
  say(heard: StreamEvent): void {
    for (const hear of this.open.values()) hear(heard);
  }
}

test("one tab holds the stream, and all receive its messages", async () => {
  const browser = new Browser();
  const tabs = ["a", "b", "c"].map((name) => browser.tab(name));
  await settle();
  expect([...browser.open.keys()]).toEqual(["a"]);
  browser.say({ kind: "open" });
  browser.say(message("1"));
  await settle();
  for (const { heard } of tabs) expect(told(heard)).toEqual(["open", "1"]);
});

test("a tab that joins later learns that the stream is open", async () => {
  const browser = new Browser();
  browser.tab("a");
  await settle();
  const early = browser.tab("b");
  await settle();
  expect(told(early.heard)).toEqual([]);
  browser.say({ kind: "open" });
  const late = browser.tab("c");
  await settle();
  expect(told(early.heard)).toEqual(["open"]);
  expect(told(late.heard)).toEqual(["open"]);
});

test("a tab that joins a stream of whole states gets the last message", async () => {
  const browser = new Browser();
  browser.tab("a", undefined, true);
  await settle();
  for (const heard of [{ kind: "open" }, message("1"), message("2")] as StreamEvent[]) browser.say(heard);
  await settle();
  const late = browser.tab("b", undefined, true);
  await settle();
  expect(told(late.heard)).toEqual(["2", "open"]);
});

test("when the tab with the stream closes, another opens it, and the rest follow that", async () => {
  const browser = new Browser();
  const [a, b, c] = ["a", "b", "c"].map((name) => browser.tab(name)) as [
    ReturnType<Browser["tab"]>,
    ReturnType<Browser["tab"]>,
    ReturnType<Browser["tab"]>,
  ];
  await settle();
  browser.say(message("1"));
  await settle();
  a.leave();
  await settle();
  expect([...browser.open.keys()]).toEqual(["b"]);
  browser.say({ kind: "open" });
  browser.say(message("2"));
  await settle();
  expect(told(a.heard)).toEqual(["1"]);
  expect(told(b.heard)).toEqual(["1", "open", "2"]);
  expect(told(c.heard)).toEqual(["1", "open", "2"]);
  c.leave();
  b.leave();
  await settle();
  expect(browser.open.size).toBe(0);
});

test("a returning tab gets what it missed, or learns that it missed more than is kept", async () => {
  const browser = new Browser();
  browser.tab("a", "0");
  await settle();
  browser.say({ kind: "open" });
  for (const id of ["1", "2", "3"]) browser.say(message(id));
  const [known, unknown, newest, fresh] = [
    browser.tab("b", "1"),
    browser.tab("c", "long ago"),
    browser.tab("d", "3"),
    browser.tab("e"),
  ];
  await settle();
  expect(told(known.heard)).toEqual(["2", "3", "open"]);
  expect(told(unknown.heard)).toEqual(["3", "open"]);
  expect(unknown.heard[0]).toEqual({
    kind: "message",
    message: { type: "issue", id: "3", data: '{"ids":[],"more":true}' },
  });
  expect(told(newest.heard)).toEqual(["open"]);
  expect(told(fresh.heard)).toEqual(["open"]);
});

test("a tab at the position before a two-part message gets both parts", async () => {
  const browser = new Browser();
  browser.tab("a", "0");
  await settle();
  browser.say({ kind: "open" });
  const part = (type: "issue" | "event", id: string): StreamEvent => ({
    kind: "message",
    message: { type, id, data: "{}" },
  });
  // Both parts follow the same position.
  for (const each of [part("issue", "0"), part("event", "1"), part("issue", "1"), part("event", "2")])
    browser.say(each);
  const [before, between, newest] = [browser.tab("b", "0"), browser.tab("c", "1"), browser.tab("d", "2")];
  await settle();
  expect(told(before.heard)).toEqual(["0", "1", "1", "2", "open"]);
  expect(told(between.heard)).toEqual(["1", "2", "open"]);
  expect(told(newest.heard)).toEqual(["open"]);
});

test("all tabs learn that a stream was lost", async () => {
  const browser = new Browser();
  const [, b] = ["a", "b"].map((name) => browser.tab(name));
  await settle();
  browser.say({ kind: "lost" });
  browser.say({ kind: "refused" });
  await settle();
  expect(told(b?.heard ?? [])).toEqual(["lost", "refused"]);
});

test("a frozen tab loses the stream to another, and joins again when it wakes", async () => {
  const browser = new Browser();
  const channel = browser.channel.bind(browser);
  let asleep = false;
  browser.channel = (name) => {
    const made = channel(name);
    const given = made.postMessage;
    return Object.assign(made, { postMessage: (data: unknown) => (asleep ? undefined : given(data)) });
  };
  const a = browser.tab("a");
  browser.channel = channel;
  const b = browser.tab("b");
  await vi.advanceTimersByTimeAsync(120_000);
  expect([...browser.open.keys()]).toEqual(["a"]);
  asleep = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect([...browser.open.keys()]).toEqual(["b"]);
  asleep = false;
  browser.say({ kind: "open" });
  browser.say(message("1"));
  await settle();
  expect(told(a.heard)).toEqual(["open", "1"]);
  b.leave();
  await settle();
  expect([...browser.open.keys()]).toEqual(["a"]);
});

test("without locks each tab has its own stream", () => {
  const left = vi.fn();
  const open = vi.fn(() => left);
  const hear = vi.fn();
  const leave = joinStream({ name: "stream", open, last: () => undefined, hear }, undefined);
  expect(open).toHaveBeenCalledExactlyOnceWith(hear);
  leave();
  expect(left).toHaveBeenCalledOnce();
});

test("if locks are refused, a tab opens its own stream", async () => {
  const browser = new Browser();
  browser.locks.request = () => Promise.reject(Object.assign(new Error("not here"), { name: "SecurityError" }));
  const a = browser.tab("a");
  await settle();
  expect([...browser.open.keys()]).toEqual(["a"]);
  a.leave();
  expect(browser.open.size).toBe(0);
});
