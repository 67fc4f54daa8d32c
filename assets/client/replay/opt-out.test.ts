import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Tap, Tapped } from "../tap.ts";
import type { Replay } from "../types.ts";
import { EventType, type Recorded, Source } from "./format.ts";
import { clientOf } from "./test-client.ts";

/** rrweb, as far as the recorder knows it. */
let emit: (event: unknown) => void;
function rrweb() {
  const tell = (type: number, data: object) => emit({ type, timestamp: Date.now(), data });
  const takeFullSnapshot = () => {
    tell(EventType.Meta, { href: "https://shop.example/cart" });
    tell(EventType.FullSnapshot, { node: { type: 0, id: 1, childNodes: [] } });
  };
  const record = (options: { emit: typeof emit }) => {
    emit = options.emit;
    takeFullSnapshot();
    return () => {};
  };
  const addCustomEvent = (tag: string, payload: unknown) => tell(EventType.Custom, { tag, payload });
  return { record: Object.assign(record, { takeFullSnapshot, addCustomEvent, mirror: { getNode: () => null } }) };
}

interface Chunk {
  chunk_index: number;
  events: Recorded[];
}

const registry = globalThis as unknown as Record<symbol, unknown>;
const client = Symbol.for("mayday");
const name = "mayday.replay";
const minute = 60_000;

let page: EventTarget;
let replays: Replay;
let chunks: Chunk[];
let beacons: string[];
/** What the server answers. */
let status: number;

/** A storage of the browser, for all its pages or for those of a window. */
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const refuse = (): never => {
  throw new DOMException("denied");
};
/** What a browser gives to a page that may store nothing. */
const refusing = () => new Proxy({}, { get: refuse });

beforeAll(() => {
  vi.resetModules();
  vi.doMock("@rrweb/record", rrweb);
});
afterAll(() => {
  vi.doUnmock("@rrweb/record");
  vi.resetModules();
});

beforeEach(async () => {
  [page, chunks, beacons, status] = [new EventTarget(), [], [], 202];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"], now: 1e12 });
  vi.stubGlobal("CompressionStream", undefined);
  vi.stubGlobal("performance", { now: () => 0 });
  vi.stubGlobal("navigator", { sendBeacon: (_: string, body: string) => beacons.push(body) > 0 });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("document", {
    addEventListener: () => {},
    visibilityState: "visible",
    getElementsByTagName: () => ({ length: 100 }),
  });
  const arrived = chunks;
  const source = clientOf((chunk: Chunk) => {
    arrived.push(chunk);
    return status;
  });
  source.options.storage = true;
  let tap: Tap | undefined;
  const tapped: Pick<Tapped, "tap"> = {
    tap(make) {
      if (tap && make) return false;
      tap = make?.(source);
      return !!tap;
    },
  };
  registry[client] = tapped;
  // Each page has modules of its own.
  vi.resetModules();
  replays = await import("./index.ts");
});
afterEach(() => {
  replays.stopReplay();
  Reflect.deleteProperty(registry, client);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const change = () => emit({ type: EventType.Incremental, timestamp: Date.now(), data: { source: Source.Mutation } });

/** Lets so much time pass, and what is sent in it arrive. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  for (let each = 0; each < 200; each += 1) await new Promise((done) => setImmediate(done));
}

/** Records, and sends the beginning. */
async function record(): Promise<void> {
  expect(replays.startReplay()).toBe(true);
  await pass(5_000);
  expect(chunks.length).toBe(1);
  change();
}

/** The person opts out in another tab of the browser. */
function optOutElsewhere(): void {
  localStorage.setItem(name, "off");
  page.dispatchEvent(Object.assign(new Event("storage"), { key: name, newValue: "off" }));
}

/** The page goes to the back-forward cache, and away from it. */
const leave = () => page.dispatchEvent(new Event("pagehide"));
const comeBack = () => page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));

/** Nothing is recorded any more, and nothing more is sent, also not as the page goes away. */
async function expectNothingMore(): Promise<void> {
  expect(replays.replay()).toEqual({ state: "opted-out" });
  const before = [chunks.length, beacons.length];
  change();
  await pass(5 * minute);
  leave();
  expect([chunks.length, beacons.length]).toEqual(before);
  expect(replays.startReplay()).toBe(false);
}

test("opting out drops what was gathered and not yet sent", async () => {
  await record();
  replays.optOutOfReplay();
  await expectNothingMore();
  expect(chunks.length).toBe(1);
  replays.optOutOfReplay(false);
  expect(replays.replay()).toEqual({ state: "off" });
  expect(replays.startReplay()).toBe(true);
});

test.each([
  ["while it records", () => {}],
  ["after the recording was stopped", () => replays.stopReplay()],
])("opting out %s drops what a server that was away did not take", async (_, before) => {
  status = 503;
  await record();
  before();
  replays.optOutOfReplay();
  await expectNothingMore();
  replays.optOutOfReplay(false);
  status = 202;
  await pass(5 * minute);
  expect(chunks.length).toBe(1);
});

test("opting out in one tab ends the recording in the others, which send nothing more", async () => {
  await record();
  page.dispatchEvent(Object.assign(new Event("storage"), { key: "cart", newValue: "off" }));
  expect(replays.replay().state).toBe("recording");
  optOutElsewhere();
  await expectNothingMore();
});

test("a page that comes back records on, unless the person has opted out meanwhile", async () => {
  await record();
  leave();
  comeBack();
  expect(replays.replay().state).toBe("recording");
  leave();
  // Pages in the back-forward cache receive no storage events.
  localStorage.setItem(name, "off");
  comeBack();
  await expectNothingMore();
  // The next page does not go on with that replay.
  expect(sessionStorage.getItem(name)).toBe(null);
});

test("a page that comes back sends nothing of a recording that was stopped, if the person has opted out meanwhile", async () => {
  status = 503;
  await record();
  replays.stopReplay();
  leave();
  localStorage.setItem(name, "off");
  comeBack();
  await expectNothingMore();
});

test("opting out forgets the replay that the page before it left to be continued", async () => {
  await record();
  leave();
  expect(sessionStorage.getItem(name)).not.toBe(null);
  vi.resetModules();
  const next: Replay = await import("./index.ts");
  next.optOutOfReplay();
  expect(sessionStorage.getItem(name)).toBe(null);
});

test("a page that comes after another tab opted out forgets what the page before it left", async () => {
  await record();
  leave();
  // The page before has ended, and heard nothing of it.
  localStorage.setItem(name, "off");
  vi.resetModules();
  const next: Replay = await import("./index.ts");
  expect(next.startReplay()).toBe(false);
  expect(sessionStorage.getItem(name)).toBe(null);
});

test.each([
  ["the page may not use it", refusing],
  ["it is full", () => ({ ...storage(), setItem: refuse })],
  ["there is none", () => undefined],
])("where the browser does not keep the wish, the page does: %s", async (_, make) => {
  vi.stubGlobal("localStorage", make());
  await record();
  replays.optOutOfReplay();
  await expectNothingMore();
  replays.optOutOfReplay(false);
  expect(replays.startReplay()).toBe(true);
});
