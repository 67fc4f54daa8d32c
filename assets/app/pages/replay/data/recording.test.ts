import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Recording } from "./recording.ts";

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
