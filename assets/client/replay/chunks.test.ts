import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Tap } from "../tap.ts";
import { EventType, NodeType, type Recorded, Source, tags } from "./format.ts";
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

let startRecorder: typeof import("./recorder.ts").startRecorder;
// Files share modules, and others have another rrweb.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("@rrweb/record", rrweb);
  ({ startRecorder } = await import("./recorder.ts"));
});
afterAll(() => {
  vi.doUnmock("@rrweb/record");
  vi.resetModules();
});

interface Chunk {
  chunk_index: number;
  part?: { index: number; count: number };
  events: Recorded[];
}

let chunks: Chunk[];
let isOver: boolean;
let tap: Tap;
/** What the server answers. */
let answer: (chunk: Chunk) => number;

beforeEach(async () => {
  [chunks, isOver] = [[], false];
  answer = () => 202;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"], now: 1e12 });
  vi.stubGlobal("CompressionStream", undefined);
  // Nothing costs the page anything.
  vi.stubGlobal("performance", { now: () => 0 });
  vi.stubGlobal("document", {
    addEventListener: () => {},
    visibilityState: "visible",
    getElementsByTagName: () => ({ length: 100 }),
  });
  const arrived = chunks;
  const client = clientOf((chunk: Chunk) => {
    arrived.push(chunk);
    return answer(chunk);
  });
  tap = startRecorder(client, { mode: "always" }, () => {
    isOver = true;
  })!;
  await sent();
  chunks.length = 0;
});
afterEach(() => {
  tap.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets what was gathered be sent. */
async function sent(): Promise<void> {
  await vi.advanceTimersByTimeAsync(5_000);
  for (let each = 0; each < 500; each += 1) await new Promise((done) => setImmediate(done));
  expect(chunks.length).toBeGreaterThan(0);
}

/** As much as a chunk has, less what the beginning of a picture takes; and such a picture. */
function fillAndPicture() {
  const events = [
    { type: EventType.Incremental, data: { source: Source.Input, id: 7, text: "x".repeat(199_858) } },
    { type: EventType.Meta, data: { href: "https://shop.example/cart" } },
    { type: EventType.FullSnapshot, data: { node: { type: 0, id: 1, childNodes: [] } } },
  ];
  for (const event of events) emit({ ...event, timestamp: Date.now() });
}

test("a picture is in the same chunk as its beginning, however full that is", async () => {
  fillAndPicture();
  await sent();
  const types = chunks.map(({ events }) => events.map(({ type }) => type).filter((type) => type !== EventType.Custom));
  expect(types[0]).toEqual([EventType.Incremental, EventType.Meta, EventType.FullSnapshot]);
  expect(types.slice(1).flat()).toEqual([]);
});

test("one that is too large for the server ends the recording, also where its chunk was almost full", async () => {
  answer = ({ events }) => (events.some(({ type }) => type === EventType.FullSnapshot) ? 413 : 202);
  fillAndPicture();
  await sent();
  expect(isOver).toBe(true);
  expect(chunks.at(-1)?.events.map(({ data }) => data)).toEqual([{ tag: tags.end, payload: { why: "too large" } }]);
});

/** A picture of so many texts of a million characters each, and a change after it. */
function emitLarge(texts: number) {
  const textContent = "x".repeat(1_000_000);
  const childNodes = Array.from({ length: texts }, (_, at) => ({ type: NodeType.Text, id: 2 + at, textContent }));
  const events = [
    { type: EventType.Meta, data: { href: "https://shop.example/cart" } },
    { type: EventType.FullSnapshot, data: { node: { type: NodeType.Document, id: 1, childNodes } } },
    { type: EventType.Incremental, data: { source: Source.Mutation, texts: [] } },
  ];
  for (const event of events) emit({ ...event, timestamp: Date.now() });
}

test("a picture that is larger than a request is sent in parts of one chunk, before what follows", async () => {
  emitLarge(7);
  await sent();
  for (let each = 0; chunks.length < 5 && each < 1_000_000; each += 1) await new Promise((done) => setImmediate(done));
  expect(chunks.map(({ chunk_index, part }) => [chunk_index, part?.index, part?.count])).toEqual([
    [1, 0, 4],
    [1, 1, 4],
    [1, 2, 4],
    [1, 3, 4],
    [2, undefined, undefined],
  ]);
  const ids = chunks.flatMap(({ events }) => events).map(({ data }) => (data as { adds?: unknown[] }).adds?.length);
  expect(ids.filter((count) => count !== undefined)).toEqual([2, 2, 1]);
  expect(chunks[4]?.events.map(({ data }) => data.source)).toContain(Source.Mutation);
  expect(isOver).toBe(false);
});

test.each([34, 50])("a picture of %i million characters is not sent, and ends the recording", async (millions) => {
  emitLarge(millions);
  await sent();
  expect(isOver).toBe(true);
  expect(chunks.map(({ events }) => events.map(({ data }) => data))).toEqual([
    [{ tag: tags.end, payload: { why: "too large" } }],
  ]);
});
