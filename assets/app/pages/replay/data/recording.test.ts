import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Recording } from "./recording.ts";
import { Sheets } from "./sheets.ts";

const start = 1e12;
const event = (second: number, type = 3) => ({ type, timestamp: start + second * 1_000, data: { source: 3, id: 1 } });

/** The server's answers in order: texts in pieces, and where to continue. */
let answers: { pieces: string[]; next: number; breaks?: boolean }[];
let asked: string[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    const { pieces, next, breaks } = answers.shift()!;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (breaks) controller.error(new TypeError("the network broke"));
        else controller.close();
      },
    });
    return new Response(body, { headers: { "x-next-chunk": String(next) } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const load = (recording: Recording) => recording.load(new AbortController().signal);
const recordingOf = () => new Recording((from) => `events?from_chunk=${from}`);

test("many events are processed in small tasks, so that others can run in between", async () => {
  // Advances by a millisecond at each reading.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  answers = [{ pieces: [JSON.stringify(Array.from({ length: 5_000 }, (_, at) => event(at / 10)))], next: 1 }];
  const recording = recordingOf();
  const batches: number[] = [];
  let turns = 0;
  let isDone = false;
  recording.onEvents = (added) => batches.push(added.length);
  const others = () => {
    turns += 1;
    if (!isDone) setTimeout(others);
  };
  setTimeout(others);
  await load(recording);
  isDone = true;
  expect(recording.events).toHaveLength(5_000);
  expect(Math.max(...batches)).toBeLessThanOrEqual(8);
  expect(turns).toBeGreaterThan(300);
});

test("an interrupted request is repeated, and no event is added twice", async () => {
  const all = JSON.stringify([event(0, 4), event(1), event(2)]);
  const cut = all.indexOf(JSON.stringify(event(2))) + 5;
  answers = [
    { pieces: [all.slice(0, cut)], next: 2, breaks: true },
    { pieces: [all], next: 2 },
    { pieces: [`[${JSON.stringify(event(3))}]`], next: 3 },
  ];
  const recording = recordingOf();
  await load(recording);
  expect([recording.state().phase, recording.events.length]).toEqual(["failed", 2]);
  await load(recording);
  expect([recording.state().phase, recording.events.length]).toEqual(["loaded", 3]);
  await load(recording);
  expect(recording.events.map(({ timestamp }) => (timestamp - start) / 1_000)).toEqual([0, 1, 2, 3]);
  expect(asked).toEqual(["events?from_chunk=0", "events?from_chunk=0", "events?from_chunk=2"]);
});

test("missing segments leave a gap, and the rest plays", async () => {
  const gap = (from: number, to: number) => ({
    type: 5,
    timestamp: start + 1_000,
    data: { tag: "mayday.gap", payload: { from_chunk: from, to_chunk: to, why: "never_arrived" } },
  });
  const lost = { type: 5, timestamp: start + 18_000, data: { tag: "mayday.lost", payload: { events: 3 } } };
  answers = [
    { pieces: [JSON.stringify([event(0, 4), event(1), gap(1, 1), lost, event(13), gap(3, 4)])], next: 5 },
    { pieces: ["[]"], next: 5 },
  ];
  const recording = recordingOf();
  await load(recording);
  await load(recording);
  expect(recording.events.map(({ timestamp }) => (timestamp - start) / 1_000)).toEqual([0, 1, 18, 13]);
  expect(recording.state().summary.gaps.map(({ at, to, first, last }) => [at, to, first, last])).toEqual([
    [1_000, 13_000, 1, 1],
    [18_000, undefined, 3, 4],
  ]);
});

test("a clock that jumps loses no later event", async () => {
  const jumping = [event(-1e7, 4), event(-1e7 + 1), event(0), event(2)];
  answers = [{ pieces: [JSON.stringify(jumping)], next: 1 }];
  const recording = recordingOf();
  await load(recording);
  const [first] = recording.events;
  expect(recording.events.map(({ timestamp }) => (timestamp - first!.timestamp) / 1_000)).toEqual([0, 1, 1, 3]);
  expect(recording.state().summary.duration).toBe(3_000);
});

const node = (id: number, text: string) => ({ type: 3, id, textContent: text });
const list = (id: number, ...childNodes: object[]) => ({ type: 2, id, tagName: "ul", attributes: {}, childNodes });
/** What goes on with a picture. */
const piece = (second: number, ...adds: [parentId: number, node: object][]) => {
  const added = adds.map(([parentId, each]) => ({ parentId, nextId: null, node: each }));
  return { ...event(second), data: { source: 0, adds: added, continues: true } };
};
const picture = (second: number) => ({
  ...event(second, 2),
  data: { node: { type: 0, id: 1, childNodes: [list(2, node(3, "a"))] } },
});
const drawn = ({ events }: Recording) => JSON.stringify(events.find(({ type }) => type === 2)?.data.node);
const all = list(2, node(3, "a"), node(4, "b"), list(5, node(6, "c")));
const whole = JSON.stringify({ type: 0, id: 1, childNodes: [all] });

test("a picture that comes in parts is told of once it is whole, as one", async () => {
  const rest = [piece(1, [2, node(4, "b")]), piece(1, [2, list(5)], [5, node(6, "c")]), event(2)];
  const text = JSON.stringify([event(0, 4), picture(1), ...rest]);
  // However it is cut on its way.
  for (const size of [10, 60, text.length]) {
    const cut = (_: unknown, at: number) => text.slice(at * size, (at + 1) * size);
    answers = [{ pieces: Array.from({ length: Math.ceil(text.length / size) }, cut), next: 1 }];
    const recording = recordingOf();
    const told: string[] = [];
    recording.onEvents = (added) => {
      if (added.some(({ type }) => type === 2)) told.push(drawn(recording));
    };
    await load(recording);
    expect(told).toEqual([whole]);
    expect(recording.events.map(({ type }) => type)).toEqual([4, 2, 3]);
    expect(recording.state().summary.changes).toEqual([]);
  }
});

test("a picture that breaks off between its parts is told of once the rest has come, as one", async () => {
  const rest = [piece(1, [2, node(4, "b")]), piece(1, [2, list(5)], [5, node(6, "c")])];
  const text = JSON.stringify([event(0, 4), picture(1), ...rest]);
  const cut = text.lastIndexOf('{"type":3,"timestamp"');
  answers = [
    { pieces: [text.slice(0, cut)], next: 1, breaks: true },
    { pieces: [text], next: 1 },
  ];
  const recording = recordingOf();
  await load(recording);
  expect([recording.state().phase, recording.state().isReady, recording.events]).toEqual(["failed", false, []]);
  await load(recording);
  expect(recording.events.map(({ type }) => type)).toEqual([4, 2]);
  expect(drawn(recording)).toBe(whole);
});

test("of a picture that lacks a part the rest is shown, and what has no place in it is not", async () => {
  const gap = { from_chunk: 0, to_chunk: 0, from_part: 2, to_part: 2, why: "never_arrived" };
  const missing = { ...event(1, 5), data: { tag: "mayday.gap", payload: gap } };
  const rest = [piece(1, [2, node(4, "b")]), missing, piece(1, [7, node(8, "d")], [2, list(5)], [5, node(6, "c")])];
  answers = [{ pieces: [JSON.stringify([event(0, 4), picture(1), ...rest])], next: 1 }];
  const recording = recordingOf();
  await load(recording);
  expect(drawn(recording)).toBe(whole);
  expect(recording.state().isReady).toBe(true);
  expect(recording.state().summary.gaps.map(({ first, pieces }) => [first, pieces])).toEqual([[0, [2, 2]]]);
});

test("parts of which the picture is missing, or that go deeper than can be drawn, are left out", async () => {
  const deep = Array.from({ length: 3_000 }, (_, at): [number, object] => [10 + at, list(11 + at)]);
  const events = [piece(0, [2, node(4, "b")]), event(0, 4), picture(1), piece(1, [2, list(10)], ...deep), event(2)];
  answers = [{ pieces: [JSON.stringify(events)], next: 1 }];
  const recording = recordingOf();
  await load(recording);
  expect(recording.events.map(({ type }) => type)).toEqual([4, 2, 3]);
  expect(drawn(recording).split("childNodes").length).toBeLessThan(1_100);
});

test("style sheets of what has no place in a picture are neither asked for nor missed", async () => {
  const link = (id: number, name: string) => {
    const attributes = { rel: "stylesheet", href: `https://cdn.example/${name}.css` };
    return { type: 2, id, tagName: "link", attributes, childNodes: [] };
  };
  const rest = [piece(1, [2, link(4, "shown")]), piece(1, [7, list(8, link(9, "within"))], [7, link(10, "gone")])];
  // After anything else, parts belong to a picture that never came.
  const late = [event(2), piece(3, [2, link(11, "late")])];
  answers = [{ pieces: [JSON.stringify([event(0, 4), picture(1), ...rest, ...late])], next: 1 }];
  const sought: string[] = [];
  const sheets = new Sheets(async (href) => {
    sought.push(href);
    return undefined;
  });
  const recording = new Recording((from) => `events?from_chunk=${from}`, sheets);
  await load(recording);
  expect(sought).toEqual(["https://cdn.example/shown.css"]);
  expect(recording.state().summary.missingSheets).toBe(1);
});
