import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Tap } from "../tap.ts";
import type { MaydayEvent } from "../types.ts";
import { EventType, type Recorded, Source, tags } from "./format.ts";
import { clientOf } from "./test-client.ts";

/** A fake rrweb on a page that changes often. */
const page = {
  emit: (_: unknown): void => {},
  /** Measures a change; what a change costs in milliseconds, and the total. */
  around: (act: () => unknown, _given: unknown[]): unknown => act(),
  effort: 0,
  clock: 0,
  /** The number of full snapshots, what one costs in milliseconds, and how often the recording was started. */
  pictures: 0,
  cost: 0,
  begun: 0,
  /** Whether changes are observed, and which are held back. */
  isObserved: false,
  isFrozen: false,
  held: [] as { id: number; value: string }[],
};
function rrweb() {
  const emit = (type: number, data: object) => page.emit({ type, timestamp: Date.now(), data });
  const takeFullSnapshot = () => {
    page.pictures += 1;
    emit(4, { href: "https://shop.example/cart" });
    page.clock += page.cost;
    emit(2, { node: { type: 0, id: 1, childNodes: [] } });
  };
  const record = ({ emit, errorHandler }: { emit: typeof page.emit; errorHandler: { around: typeof page.around } }) => {
    Object.assign(page, { emit, around: errorHandler.around, isObserved: true, begun: page.begun + 1 });
    takeFullSnapshot();
    return () => {
      page.isObserved = false;
    };
  };
  const addCustomEvent = (tag: string, payload: unknown) => {
    const texts = page.held.splice(0);
    page.isFrozen = false;
    if (texts.length) emit(3, { source: 0, texts });
    emit(5, { tag, payload });
  };
  const freezePage = () => {
    page.isFrozen = true;
  };
  const mirror = { getNode: () => null, reset: () => {} };
  return { record: Object.assign(record, { takeFullSnapshot, addCustomEvent, freezePage, mirror }) };
}

let startRecorder: typeof import("./recorder.ts").startRecorder;
// Test files share modules, and others mock rrweb differently.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("@rrweb/record", rrweb);
  ({ startRecorder } = await import("./recorder.ts"));
});
afterAll(() => {
  vi.doUnmock("@rrweb/record");
  vi.resetModules();
});

let chunks: { events: Recorded[] }[];
let isOver: boolean;
let tap: Tap;

beforeEach(() => {
  [chunks, isOver] = [[], false];
  Object.assign(page, { effort: 0, clock: 0, pictures: 0, cost: 0, begun: 0 });
  Object.assign(page, { isObserved: false, isFrozen: false, held: [] });
  const toFake = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] as const;
  vi.useFakeTimers({ toFake: [...toFake], now: 1e12 });
  const { performance } = globalThis;
  const timeOf = performance.now.bind(performance);
  vi.stubGlobal("CompressionStream", undefined);
  vi.stubGlobal("performance", { now: () => timeOf() + page.clock });
  vi.stubGlobal("document", {
    addEventListener: () => {},
    visibilityState: "visible",
    getElementsByTagName: () => ({ length: 100 }),
  });
});
afterEach(() => {
  // In this order, because the fake clock restores the page's own `performance`.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function start(mode: "always" | "error") {
  const arrived = chunks;
  const client = clientOf((chunk: { events: Recorded[] }) => {
    arrived.push(chunk);
    return 202;
  });
  tap = startRecorder(client, { mode }, () => {
    isOver = true;
  })!;
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Everything sent, after what was collected is sent. */
async function sent(): Promise<Recorded[]> {
  await pass(5_000);
  for (let each = 0; each < 500; each += 1) await new Promise((done) => setImmediate(done));
  expect(chunks.length).toBeGreaterThan(0);
  return chunks.flatMap(({ events }) => events);
}

/** Changes a text of the page, as rrweb sees it. */
function write(value: string) {
  if (!page.isObserved) return;
  const observer = {
    takeRecords: () => [],
    disconnect: () => {
      page.isObserved = false;
    },
  };
  const see = () => {
    page.clock += page.effort;
    if (page.isFrozen) page.held.push({ id: 7, value });
    else page.emit({ type: 3, timestamp: Date.now(), data: { source: Source.Mutation, texts: [{ id: 7, value }] } });
  };
  page.around(see, [[], observer]);
}

/** Changes a text ten times a second; each change costs this many milliseconds. */
async function busy(seconds: number, each: number) {
  page.effort = each;
  for (let tenth = 0; tenth < 10 * seconds; tenth += 1) {
    write(`text ${tenth}`);
    await pass(100);
  }
}

const efforts = (events: Recorded[]) =>
  events.filter(({ data }) => data.tag === tags.effort).map(({ data }) => (data.payload as { how: string }).how);
/** The events at which the effort changed. */
const stepsOf = (events: Recorded[]) =>
  events
    .filter(({ data }) => data.tag === tags.effort)
    .map(({ data, timestamp }) => ({ how: (data.payload as { how: string }).how, at: timestamp }))
    .filter(({ how }, index, all) => how !== all[index - 1]?.how);
const changesOf = (events: Recorded[]) => events.filter(({ data }) => data.source === Source.Mutation);

test("changes that cost over a tenth of the time are batched, and sent one by one again when it is calm", async () => {
  start("always");
  await busy(3, 20);
  expect(page.isFrozen).toBe(true);
  const before = changesOf(await sent()).length;
  await busy(10, 5);
  const events = await sent();
  const together = changesOf(events).slice(before) as { data: { texts?: unknown[] } }[];
  expect(together.length).toBeLessThanOrEqual(22);
  for (const { data } of together) expect(data.texts).toHaveLength(1);
  expect(efforts(events)).toEqual(["coalesced"]);
  await busy(40, 0.1);
  expect(page.isFrozen).toBe(false);
  expect(efforts(await sent())).toEqual(["coalesced", "usual"]);
});

test("if that still costs too much, snapshots replace changes, and input is kept", async () => {
  start("always");
  await busy(10, 20);
  expect(page.isObserved).toBe(false);
  const before = page.pictures;
  await sent();
  const seen = changesOf(chunks.flatMap(({ events }) => events)).length;
  page.emit({ type: 3, timestamp: Date.now(), data: { source: Source.MouseInteraction } });
  await busy(12, 20);
  const events = await sent();
  expect(changesOf(events).length).toBe(seen);
  expect(events.some(({ data }) => data.source === Source.MouseInteraction)).toBe(true);
  expect(page.pictures).toBe(before + 2);
  expect(efforts(events)).toEqual(["coalesced", "pictures", "pictures"]);
  // What rrweb attached to frames goes with the previous recording.
  expect(page.begun).toBe(3);
});

test("changes are recorded again when the page is calm, with growing pauses if that was too early", async () => {
  start("always");
  await busy(90, 20);
  await busy(215, 0.1);
  const steps = stepsOf(await sent());
  expect(steps.map(({ how }) => how)).toEqual(["coalesced", "pictures", "coalesced", "pictures", "coalesced", "usual"]);
  const waits = steps.map(({ at }, step) => Math.floor((at - (steps[step - 1]?.at ?? 0)) / 10_000));
  expect([waits[2], waits[4]]).toEqual([3, 6]);
});

test("that also works if snapshots are expensive, with the next one after a long pause", async () => {
  start("always");
  page.cost = 300;
  await busy(60, 20);
  const before = page.pictures;
  await busy(120, 0.1);
  expect(page.pictures).toBe(before);
  await busy(300, 0.1);
  expect(page.pictures).toBe(before + 1);
  expect(
    stepsOf(await sent())
      .slice(-3)
      .map(({ how }) => how),
  ).toEqual(["pictures", "coalesced", "usual"]);
});

test("an error gets its own snapshot if changes are not recorded", async () => {
  start("error");
  await busy(27, 20);
  const before = page.pictures;
  const error = { event_id: "e", type: "exception", exception: { type: "E", message: "e" } } as MaydayEvent;
  tap.event(error);
  tap.sent(error);
  expect(page.pictures).toBe(before + 1);
  const events = await sent();
  const last = events.findLastIndex(({ type }) => type === EventType.FullSnapshot);
  expect(events.slice(last).map(({ data }) => data.tag)).toContain(tags.error);
  // What came before the snapshot may be gone from the buffer.
  expect(efforts(events.slice(last))[0]).toBe("pictures");
});

test("recording stops if even that does not help, and says so", async () => {
  start("always");
  await busy(10, 20);
  for (let tenth = 0; tenth < 150; tenth += 1) {
    page.around(() => (page.clock += 20), [new Event("input")]);
    await pass(100);
  }
  expect(isOver).toBe(true);
  expect((await sent()).at(-1)?.data).toEqual({ tag: tags.end, payload: { why: "too busy" } });
});

test("a single long task does not stop the recording of changes", async () => {
  start("always");
  page.effort = 3_000;
  write("all of it");
  await busy(60, 1);
  expect(page.begun).toBe(1);
  expect(efforts(await sent())).toEqual(["coalesced", "usual"]);
});

test("changes that are held back are sent before the recording ends", async () => {
  start("always");
  await busy(3, 20);
  write("the last");
  expect(page.held.length).toBeGreaterThan(0);
  tap.end();
  expect(changesOf(await sent()).at(-1)).toMatchObject({ data: { texts: [{ value: "*** ****" }] } });
});

test("what rrweb emits after the end is not sent", async () => {
  start("always");
  tap.end();
  const before = (await sent()).length;
  const text = "x".repeat(1_000);
  for (let each = 0; each < 2_000; each += 1) {
    page.emit({ type: 3, timestamp: Date.now(), data: { source: Source.Input, id: 7, text } });
  }
  expect((await sent()).length).toBe(before);
});
