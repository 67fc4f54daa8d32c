import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Source as Client, Tap } from "../tap.ts";
import type { MaydayEvent } from "../types.ts";
import { EventType, type Recorded, Source, tags } from "./format.ts";
import { startRecorder } from "./recorder.ts";
import { clientOf } from "./test-client.ts";

/** A fake rrweb. */
const page = vi.hoisted(() => ({
  emit: (_: unknown): void => {},
  /** When snapshots were taken. */
  pictures: [] as number[],
  /** The cost of a snapshot in milliseconds, its size in characters, and the number of the page's elements. */
  cost: 0,
  size: 0,
  elements: 100,
  /** The page's own clock. */
  clock: 0,
}));
vi.mock("@rrweb/record", () => {
  const takeFullSnapshot = () => {
    page.pictures.push(Date.now());
    page.emit({ type: 4, timestamp: Date.now(), data: { href: "https://shop.example/cart" } });
    page.clock += page.cost;
    const text = { type: 3, id: 2, textContent: "x".repeat(page.size) };
    page.emit({ type: 2, timestamp: Date.now(), data: { node: { type: 0, id: 1, childNodes: [text] } } });
  };
  const record = ({ emit }: { emit: (event: unknown) => void }) => {
    page.emit = emit;
    takeFullSnapshot();
    return () => {};
  };
  const addCustomEvent = (tag: string, payload: unknown) =>
    page.emit({ type: 5, timestamp: Date.now(), data: { tag, payload } });
  return { record: Object.assign(record, { takeFullSnapshot, addCustomEvent, mirror: { getNode: () => null } }) };
});

interface Chunk {
  replay_id: string;
  session_id: string;
  chunk_index: number;
  total_chunks: number | null;
  metadata: { start_timestamp: number; end_timestamp: number };
  events: Recorded[];
}

const minute = 60_000;
let client: Client;
let chunks: Chunk[];
let session: string;
let trace: string;
let isOver: boolean;
let tap: Tap;
/** The server's answer to a chunk. */
let answer: (chunk: Chunk) => number;

beforeEach(() => {
  [chunks, session, trace, isOver] = [[], "session-1", "trace-1", false];
  answer = () => 202;
  Object.assign(page, { pictures: [], cost: 0, size: 0, elements: 100, clock: 0 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"], now: 1e12 });
  const arrived = chunks;
  const take = (chunk: Chunk) => {
    arrived.push(chunk);
    return answer(chunk);
  };
  client = clientOf(take, () => ({ session, trace }));
  vi.stubGlobal("CompressionStream", undefined);
  vi.stubGlobal("performance", { now: () => page.clock });
  vi.stubGlobal("document", {
    addEventListener: () => {},
    visibilityState: "visible",
    getElementsByTagName: () => ({ length: page.elements }),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start(mode: "always" | "error") {
  tap = startRecorder(client, { mode }, () => {
    isOver = true;
  })!;
}

/** Something changes in the page. */
const change = (source: number = Source.Mutation) => page.emit({ type: 3, timestamp: Date.now(), data: { source } });
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** An error happens; returns the event. */
function fail(id: string): MaydayEvent {
  const event = { event_id: id, type: "exception", exception: { type: "E", message: id } } as MaydayEvent;
  event.session_id = session;
  tap.event(event);
  tap.sent(event);
  return event;
}

/** Everything sent, after what was collected is sent. */
async function sent(): Promise<Recorded[]> {
  await pass(5_000);
  for (let each = 0; each < 500; each += 1) await new Promise((done) => setImmediate(done));
  expect(chunks.length).toBeGreaterThan(0);
  return chunks.flatMap(({ events }) => events);
}

const isPicture = ({ type }: Recorded) => type === EventType.FullSnapshot;
const tagsOf = (events: Recorded[]) => events.filter(({ type }) => type === 5).map(({ data }) => data.tag);
const lengthOf = ({ metadata }: Chunk) => metadata.end_timestamp - metadata.start_timestamp;

test.each([
  ["somebody comes back to it", () => change(Source.MouseMove)],
  ["it changes", () => change()],
  ["nothing is recorded before it", () => {}],
])("a page that lay idle for over an hour is recorded around an error: %s", async (_, wake) => {
  start("error");
  change();
  await pass(75 * minute);
  wake();
  await pass(2_000);
  fail("late");
  const events = await sent();
  expect(lengthOf(chunks[0]!)).toBeLessThan(6 * minute);
  expect(events[0]?.type).toBe(EventType.Meta);
  expect(isPicture(events[1]!)).toBe(true);
  expect(tagsOf(events)).toContain("mayday.error");
  // The snapshot includes the change, which would otherwise be applied twice.
  expect(events.filter(({ data }) => data.source === Source.Mutation)).toEqual([]);
});

test("the five minutes before an error are sent, and the five after it", async () => {
  start("error");
  for (let second = 0; second < 600; second += 1) {
    change();
    await pass(1_000);
  }
  const failed = Date.now();
  fail("e");
  const [first] = await sent();
  expect(failed - first!.timestamp).toBeGreaterThanOrEqual(5 * minute);
  expect(failed - first!.timestamp).toBeLessThan(6 * minute + 10_000);
  for (let second = 0; second < 400; second += 1) {
    change();
    await pass(1_000);
  }
  const last = chunks.at(-1)!;
  expect(last.total_chunks).toBe(last.chunk_index + 1);
  expect(last.metadata.end_timestamp - failed).toBe(5 * minute);
});

/** Uses the page for a while; returns the number of snapshots. */
async function run(minutes: number): Promise<number> {
  const before = page.pictures.length;
  for (let second = 0; second < minutes * 60; second += 1) {
    change(Source.MouseMove);
    await pass(1_000);
  }
  return page.pictures.length - before;
}

test("snapshots are taken every minute for the buffer, and every two while sending", async () => {
  start("error");
  expect(await run(3.5)).toBe(3);
  fail("one");
  expect(await run(4)).toBe(2);
  fail("two");
  expect(await run(4)).toBe(2);
  // The replay is over, and the buffer after it has its own snapshots.
  expect(await run(5)).toBeGreaterThanOrEqual(4);
});

test("a quiet page that only sends requests is also buffered in sections", async () => {
  start("error");
  for (let each = 0; each < 120; each += 1) {
    tap.crumb({ category: "fetch", data: { method: "GET", url: "/poll", status_code: 200, duration: 5 } });
    await pass(minute);
  }
  fail("e");
  await sent();
  expect(lengthOf(chunks[0]!)).toBeLessThan(8 * minute);
});

test("a replay belongs to the session in which its error was sent", async () => {
  start("error");
  await pass(40 * minute);
  session = "session-2";
  const event = fail("e");
  await sent();
  expect(chunks[0]?.session_id).toBe("session-2");
  expect(chunks[0]?.replay_id).toBe(event.replay_id);
});

test("an error after the end of a replay begins another one", async () => {
  start("error");
  const first = fail("one");
  await pass(30 * minute);
  const second = fail("two");
  await sent();
  expect(second.replay_id).not.toBe(first.replay_id);
  const own = chunks.filter(({ replay_id }) => replay_id === second.replay_id);
  expect(own[0]?.chunk_index).toBe(0);
  expect(tagsOf(own.flatMap(({ events }) => events))).toContain("mayday.error");
  expect(lengthOf(own[0]!)).toBeLessThan(6 * minute);
});

test("no replay is longer than an hour, however often errors extend it", async () => {
  start("error");
  for (let each = 0; each < 80; each += 1) {
    fail(`e${each}`);
    change();
    await pass(minute);
  }
  await sent();
  const ids = new Set(chunks.map(({ replay_id }) => replay_id));
  expect(ids.size).toBe(2);
  for (const chunk of chunks) expect(lengthOf(chunk)).toBeLessThanOrEqual(60 * minute);
  start("always");
  await pass(61 * minute);
  change();
  await pass(1);
  expect(isOver).toBe(true);
});

test("a clock that is set back neither loses events nor extends a replay", async () => {
  start("always");
  await pass(10 * minute);
  change();
  const before = Date.now();
  vi.setSystemTime(before - 180 * minute);
  change();
  await pass(minute);
  change();
  const events = await sent();
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times.at(-1)).toBe(before + minute);
  for (const { metadata } of chunks) expect(metadata.end_timestamp).toBeGreaterThanOrEqual(metadata.start_timestamp);
  await pass(50 * minute);
  change();
  await pass(1);
  expect(isOver).toBe(true);
});

test("breadcrumbs and the trace are recorded", async () => {
  start("always");
  tap.crumb({ category: "cart", message: "added" });
  trace = "trace-2";
  tap.crumb({ category: "navigation", data: { from: "/a", to: "/b" } });
  const events = await sent();
  const told = events.filter(({ type }) => type === 5).map(({ data }) => [data.tag, data.payload]);
  expect(told).toEqual([
    ["mayday.trace", { trace_id: "trace-1" }],
    ["mayday.crumb", { category: "cart", message: "added" }],
    ["mayday.navigation", { from: "/a", to: "/b" }],
    ["mayday.trace", { trace_id: "trace-2" }],
  ]);
});

test("the state of the recording can be read", async () => {
  start("error");
  expect(tap.state()).toEqual({ state: "buffering" });
  const { replay_id } = fail("e");
  expect(tap.state()).toMatchObject({ state: "recording", id: replay_id, started: expect.any(Number) });
  await pass(6 * minute);
  change();
  await pass(1);
  expect(tap.state()).toEqual({ state: "buffering" });
});

/** The replay's own events about snapshots and its end. */
const marks = (events: Recorded[]) => {
  const own = events.filter(({ data }) => data.tag === tags.pictures || data.tag === tags.end);
  return own.map(({ data: { payload } }) => payload as Record<string, unknown>);
};

test("a snapshot that alone fills the buffer is not taken again before the page is smaller", async () => {
  page.size = 5_000_001;
  start("error");
  expect(await run(30)).toBe(0);
  Object.assign(page, { size: 0, elements: 50 });
  expect(await run(0.2)).toBe(1);
  expect(await run(5)).toBe(5);
});

test("an error on a page too large for the buffer is shown from there on", async () => {
  Object.assign(page, { size: 5_000_001, cost: 600 });
  start("error");
  await run(3);
  const { replay_id } = fail("e");
  await run(1);
  const events = await sent();
  expect(page.pictures.length).toBe(2);
  expect(chunks[0]?.replay_id).toBe(replay_id);
  expect(events.filter(isPicture).length).toBe(1);
  expect(tagsOf(events)).toContain("mayday.error");
  expect(await run(60)).toBe(0);
});

test("expensive snapshots become rarer, to at most every 16 minutes", async () => {
  page.cost = 100;
  start("always");
  const at: number[] = [];
  for (let each = 0; each < 55; each += 1) if (await run(1)) at.push(each);
  expect(at).toEqual([2, 6, 14, 30, 46]);
  expect(marks(await sent())[0]).toEqual({ how: "rarer", took: 100 });
});

test("one slow moment does not reduce recording for long", async () => {
  page.cost = 3_000;
  start("always");
  page.cost = 10;
  expect(await run(9)).toBe(4);
});

test("after two heavy snapshots there are none until the page is smaller", async () => {
  page.cost = 600;
  start("always");
  expect(await run(30)).toBe(1);
  expect(marks(await sent())).toEqual([
    { how: "rarer", took: 600 },
    { how: "none", took: 600 },
  ]);
  Object.assign(page, { cost: 10, elements: 40 });
  expect(await run(8)).toBe(4);
});

test("recording stops after two snapshots that blocked the page for seconds, and says why", async () => {
  page.cost = 2_600;
  start("always");
  await run(3);
  expect(isOver).toBe(true);
  const events = await sent();
  expect(page.pictures.length).toBe(2);
  expect(marks(events).at(-1)).toEqual({ why: "too slow" });
  expect(chunks.at(-1)?.total_chunks).toBe(chunks.length);
});

test("a snapshot too large for the server ends the recording, which says so", async () => {
  answer = ({ events }) => (events.some(isPicture) ? 413 : 202);
  start("always");
  await sent();
  await run(3);
  expect(isOver).toBe(true);
  expect(page.pictures.length).toBe(1);
  const [refused, last, ...others] = chunks;
  expect(others).toEqual([]);
  expect([refused?.chunk_index, last?.chunk_index, last?.total_chunks]).toEqual([0, 0, 1]);
  expect(last?.events.map(({ data }) => data)).toEqual([{ tag: "mayday.end", payload: { why: "too large" } }]);
});

test("refused events are counted and reported with the next accepted ones", async () => {
  let refused = 0;
  answer = ({ chunk_index }) => (chunk_index === 1 ? 422 : 202);
  start("always");
  await sent();
  for (const times of [3, 1, 1]) {
    for (let each = 0; each < times; each += 1) change();
    await sent();
    if (times === 3) refused = chunks.at(-1)!.events.length;
  }
  const events = chunks.slice(2).flatMap((chunk) => chunk.events);
  const told = events.filter(({ data }) => data.tag === tags.lost).map(({ data: { payload } }) => payload);
  expect(refused).toBeGreaterThanOrEqual(3);
  expect(told).toEqual([{ events: refused, refused }]);
});

test("lost events are reported until the report arrives", async () => {
  answer = ({ chunk_index }) => (chunk_index === 1 || chunk_index === 2 ? 422 : 202);
  start("always");
  await sent();
  for (const times of [2, 2, 1, 1]) {
    for (let each = 0; each < times; each += 1) change();
    await sent();
  }
  const lostOf = ({ events }: Chunk) => events.filter(({ data }) => data.tag === tags.lost);
  const arrived = chunks.filter(({ chunk_index }) => chunk_index > 2).flatMap(lostOf);
  const own = chunks.filter(({ chunk_index }) => chunk_index === 1 || chunk_index === 2);
  const all = own.flatMap(({ events }) => events).filter(({ data }) => data.tag !== tags.lost).length;
  expect(arrived.map(({ data }) => (data.payload as { events: number }).events)).toEqual([all]);
});

test("gaps left by the server are closed by ever fewer snapshots", async () => {
  answer = () => 422;
  start("always");
  expect(await run(30)).toBeLessThan(25);
  expect(isOver).toBe(false);
});
