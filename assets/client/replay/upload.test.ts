import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { uploader } from "./upload.ts";

const url = "https://mayday.example/api/v1/replays/chunk";
let statuses: (number | "broken")[];
let sent: { address: string; body: string; headers: Record<string, string> }[];
let ends: Record<"refused" | "dropped" | "large", ReturnType<typeof vi.fn<(count?: number, replay?: string) => void>>>;
let beacons: string[];
let beaconed: string[];
let clock: number;

beforeEach(() => {
  [statuses, sent, beacons, beaconed, clock] = [[], [], [], [], 1_000];
  ends = { refused: vi.fn<() => void>(), dropped: vi.fn<() => void>(), large: vi.fn<() => void>() };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("navigator", {
    sendBeacon: (address: string, body: string) => {
      if (beacons.join("").length + body.length > 64_000) return false;
      beaconed.push(address);
      beacons.push(body);
      return true;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const post = (async (address: string, init: RequestInit) => {
  const bytes = Buffer.from(await (init.body as Blob).arrayBuffer());
  const headers = init.headers as Record<string, string>;
  sent.push({ address, body: String(headers["Content-Encoding"] === "gzip" ? gunzipSync(bytes) : bytes), headers });
  const status = statuses.shift() ?? 202;
  if (status === "broken") throw new TypeError("Failed to fetch");
  return new Response("{}", { status });
}) as typeof fetch;

const now = () => clock;
const make = () => uploader(url, post, ends, now);
const bodies = () => sent.map(({ body }) => body);
const patience = { interval: 1, timeout: 60_000 };
const settled = (count: number) => vi.waitFor(() => expect(sent.length).toBe(count), patience);
/** Lets pending work run until it pauses. */
const turn = async () => {
  for (let each = 0; each < 20; each += 1) await new Promise((done) => setImmediate(done));
};

test("chunks are compressed and sent one after the other", async () => {
  const upload = make();
  upload.push(["one"], 1, false, "r");
  upload.push(["two"], 1, false, "r");
  await settled(2);
  expect(bodies()).toEqual(["one", "two"]);
  expect(sent[0]?.headers).toEqual({ "Content-Encoding": "gzip", "Content-Type": "text/plain" });
});

test("what is dropped is not sent, also what is about to be", async () => {
  statuses = ["broken"];
  const upload = make();
  upload.push(["one"], 1, false, "r");
  upload.push(["two"], 1, false, "r");
  upload.drop();
  await turn();
  upload.leave(() => undefined);
  expect([bodies(), beacons]).toEqual([[], []]);
  upload.push(["three"], 1, false, "r");
  await settled(1);
  upload.drop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(bodies()).toEqual(["three"]);
});

test("each request says when it is sent, also one that is sent again, and a beacon", async () => {
  statuses = ["broken"];
  const upload = make();
  upload.push(["one"], 1, false, "r");
  await settled(1);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patience);
  clock = 61_000.4;
  vi.advanceTimersByTime(60_000);
  await settled(2);
  expect(sent.map(({ address, body }) => [address, body])).toEqual([
    [`${url}?sent=1000`, "one"],
    [`${url}?sent=61000`, "one"],
  ]);
  await turn();
  clock = 62_000;
  upload.leave(() => "last");
  expect([beacons, beaconed]).toEqual([["last"], [`${url}?sent=62000`]]);
});

test("what fails is tried again, ever later, and nothing overtakes it", async () => {
  statuses = ["broken", 503, 500, 202];
  const upload = make();
  upload.push(["one"], 1, false, "r");
  upload.push(["two"], 1, false, "r");
  for (let times = 1; times < 4; times += 1) {
    await settled(times);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patience);
    vi.advanceTimersByTime(60_000);
  }
  await settled(5);
  expect(bodies()).toEqual(["one", "one", "one", "one", "two"]);
  expect(ends.refused).not.toHaveBeenCalled();
});

test("a refused key ends it for good", async () => {
  statuses = [403];
  const upload = make();
  upload.push(["one"], 1, false, "r");
  await vi.waitFor(() => expect(ends.refused).toHaveBeenCalledOnce(), patience);
  expect(upload.push(["two"], 1, false, "r")).toBe(false);
  await turn();
  expect(bodies()).toEqual(["one"]);
});

test("a refused chunk leaves a gap, and the next one is sent", async () => {
  statuses = [422];
  const upload = make();
  upload.push(["one"], 7, false, "r");
  upload.push(["two"], 1, false, "r");
  await settled(2);
  expect(ends.dropped.mock.calls).toEqual([[7, "r"]]);
});

test("a chunk on which the server fails repeatedly is dropped and counted as lost", async () => {
  statuses = [500, 500, 500, 500, 500];
  const upload = make();
  upload.push(["one"], 7, false, "r");
  upload.push(["two"], 1, false, "r");
  for (let times = 1; times < 5; times += 1) {
    await settled(times);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patience);
    vi.advanceTimersByTime(60_000);
  }
  await settled(6);
  expect(ends.dropped.mock.calls).toEqual([[7, "r"]]);
  expect(bodies().at(-1)).toBe("two");
});

test("a snapshot too large for the server is dropped with what follows, and other chunks leave gaps", async () => {
  statuses = [413, 413];
  const upload = make();
  upload.push(["change"], 1, false, "r");
  upload.push(["picture"], 2, true, "r");
  upload.push(["more changes"], 1, false, "r");
  await settled(2);
  await vi.waitFor(() => expect(ends.large.mock.calls).toEqual([[2]]), patience);
  expect(ends.dropped).toHaveBeenCalledOnce();
  upload.push(["end"], 1, false, "r");
  await settled(3);
  expect(bodies()).toEqual(["change", "picture", "end"]);
});

test("a chunk in parts is sent part by part, and has room as a whole or not at all", async () => {
  const upload = make();
  const parts = ["x", "y", "z"].map((letter) => letter.repeat(3_000_000));
  expect(upload.push(parts, 2, true, "r")).toBe(true);
  // What waits is more than has room, so there is none for another picture in parts; what the page does has its own.
  expect(upload.push(["a", "b"], 2, true, "r")).toBe(false);
  expect(upload.push(["next"], 1, false, "r")).toBe(true);
  await settled(4);
  expect(bodies().map((body) => body[0])).toEqual(["x", "y", "z", "n"]);
  expect(upload.push(["a", "b"], 2, true, "r")).toBe(true);
  await settled(6);
});

test("a part that is not taken is a hole; one that is too large ends it after that chunk", async () => {
  statuses = [202, 422, 202, 202, 413];
  const upload = make();
  upload.push(["0.0", "0.1", "0.2"], 5, true, "r");
  upload.push(["1.0", "1.1"], 5, true, "r");
  upload.push(["2"], 1, false, "r");
  await settled(5);
  await vi.waitFor(() => expect(ends.large).toHaveBeenCalled(), patience);
  expect(bodies()).toEqual(["0.0", "0.1", "0.2", "1.0", "1.1"]);
  expect(ends.dropped.mock.calls).toEqual([[1, "r"]]);
  // Chunk 2: of chunk 1 the server has something.
  expect(ends.large.mock.calls).toEqual([[1]]);
});

test("what waits is bounded", () => {
  const never = (() => new Promise(() => {})) as typeof fetch;
  const upload = uploader(url, never, ends, now);
  const taken = Array.from({ length: 100 }, () => upload.push(["x"], 1, false, "r")).filter(Boolean);
  expect(taken.length).toBe(60);
  const another = uploader(url, never, ends, now);
  expect(another.push(["x".repeat(9_000_000), "y"], 2, true, "r")).toBe(true);
  const large = "x".repeat(1_000_000);
  const beside = Array.from({ length: 100 }, () => another.push([large], 1, false, "r")).filter(Boolean);
  expect(beside.length).toBe(9);
});

test("when the page is left, the rest is sent as beacons, and what is too large is counted", () => {
  const never = (() => new Promise(() => {})) as typeof fetch;
  const upload = uploader(url, never, ends, now);
  upload.push(["small"], 2, false, "r");
  upload.push(["x".repeat(70_000)], 30, false, "r");
  const make = vi.fn((room: number, lost: number) => `last ${room} ${lost}`);
  expect(upload.leave(make)).toBe(true);
  expect(beacons).toEqual(["small", "last 59995 30"]);
  expect(upload.leave(() => "y".repeat(70_000))).toBe(false);
});
