import type { Replayer } from "@rrweb/replay";
import { afterEach, expect, test, vi } from "vitest";
import { EventType, type Recorded } from "../../../../client/replay/format.ts";
import type { Recording, State } from "../data/recording.ts";
import { Sheets } from "../data/sheets.ts";
import { emptySummary } from "../data/summary.ts";
import { type Picture, readPicture } from "./glimpse.ts";
import { Player } from "./player.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** When the recording begins. */
const start = Date.parse("2026-11-28T12:00:00Z");
const meta = (at: number, href = "https://shop.example/cart") => ({
  type: EventType.Meta,
  timestamp: start + at,
  data: { href, width: 800, height: 600 },
});
const snapshot = (at: number) => ({
  type: EventType.FullSnapshot,
  timestamp: start + at,
  data: { node: { type: 0, id: 1, childNodes: [] }, initialOffset: { left: 0, top: 0 } },
});
const scroll = (at: number) => ({
  type: EventType.Incremental,
  timestamp: start + at,
  data: { source: 3, id: 1, x: 0, y: 1 },
});

/** Has the server answer with events, of which each is a piece of its own; what was asked for, and whether it was all read. */
function serve(events: object[], first = "4", status = 200) {
  const served = { asked: [] as string[], isCut: false };
  vi.stubGlobal("fetch", async (address: string) => {
    served.asked.push(address);
    const pieces = ["[", ...events.map((event, index) => (index > 0 ? "," : "") + JSON.stringify(event)), "]"];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel() {
        served.isCut = true;
      },
    });
    return new Response(body, { status, headers: { "x-first-chunk": first } });
  });
  return served;
}

const settled = () => new Promise((done) => setTimeout(done));
const read = (until: number) => readPicture("events?at=7", start + until, new AbortController().signal);

test("a moment is drawn from the latest picture before it, and nothing later is read", async () => {
  const early = [scroll(1_000), meta(2_000, "https://shop.example/"), snapshot(2_001), scroll(3_000)];
  const late = [meta(4_000), snapshot(4_001), scroll(5_000), scroll(6_001)];
  const rest = Array.from({ length: 500 }, (_, index) => scroll(7_000 + index));
  const served = serve([...early, ...late, ...rest]);
  const picture = await read(6_000);
  expect(picture?.events.map(({ timestamp }) => timestamp - start)).toEqual([4_000, 4_001, 5_000]);
  expect(picture?.url).toBe("https://shop.example/cart");
  await settled();
  expect(served.isCut).toBe(true);
});

test("a moment is drawn with style sheets that the page could not read", async () => {
  const attributes = { rel: "stylesheet", href: "https://cdn.example/app.css" };
  const link = { type: 2, id: 2, tagName: "link", attributes, childNodes: [] };
  const page = { ...snapshot(4_001), data: { node: { type: 0, id: 1, childNodes: [link] } } };
  serve([meta(4_000), page, scroll(6_001)]);
  const sheets = new Sheets(async () => "h1 { color: red }");
  const picture = await readPicture("events?at=7", start + 6_000, new AbortController().signal, sheets);
  expect(JSON.stringify(picture?.events)).toContain('"_cssText":"h1 { color: red }"');
});

test("a picture that comes in parts is put together for a moment, too", async () => {
  const html = { type: 2, id: 2, tagName: "html", attributes: {}, childNodes: [] };
  const adds = [{ parentId: 1, nextId: null, node: html }];
  const piece = { ...scroll(4_001), data: { source: 0, adds, continues: true } };
  serve([meta(4_000), snapshot(4_001), piece, scroll(5_000), scroll(6_001)]);
  const picture = await read(6_000);
  expect(picture?.events.map(({ timestamp }) => timestamp - start)).toEqual([4_000, 4_001, 5_000]);
  expect(picture?.events[1]?.data.node).toMatchObject({ id: 1, childNodes: [{ id: 2, tagName: "html" }] });
});

test("there is nothing to draw without a picture, from the first part on, and of a server that refuses", async () => {
  serve([scroll(1_000), scroll(2_000)]);
  expect(await read(5_000)).toBeUndefined();
  serve([meta(200_000), snapshot(200_001), scroll(1_000), scroll(9_000)]);
  expect(await read(500_000), "the clock was set back").toBeUndefined();
  const first = serve([meta(1_000), snapshot(1_001)], "0");
  expect(await read(5_000)).toBeUndefined();
  expect(first.isCut).toBe(true);
  serve([meta(1_000), snapshot(1_001)], "4", 429);
  expect(await read(5_000)).toBeUndefined();
});

/** A player of a recording of which five seconds have arrived, and what its players of rrweb were told. */
function playing(at: number, answer: (at: number) => Promise<Picture | undefined>) {
  const calls: string[] = [];
  const asked: number[] = [];
  let told = () => {};
  const state = { phase: "loading", summary: { ...emptySummary(start), duration: 5_000 }, isReady: true };
  const recording = {
    events: [meta(0), snapshot(1)],
    onEvents: undefined as ((added: Recorded[]) => void) | undefined,
    state: () => state as unknown as State,
    isGrowing: () => state.phase === "loading",
    subscribe: (listener: () => void) => {
      told = listener;
      return () => {};
    },
  };
  const make = (events: Recorded[]) => {
    const name = events[0]?.timestamp === start ? "whole" : "glimpse";
    const call = (what: string) => (to?: number) => calls.push(`${name} ${what}${to === undefined ? "" : ` ${to}`}`);
    const by = {
      play: call("play"),
      pause: call("pause"),
      destroy: () => call("destroy")(),
      addEvent: () => call("add")(),
    };
    return { ...by, on: () => {}, setConfig: () => {}, getCurrentTime: () => 0 } as unknown as Replayer;
  };
  const ask = (moment: number) => {
    asked.push(moment);
    return answer(moment);
  };
  const player = new Player(recording as unknown as Recording, make, at, ask);
  const arrive = (duration: number) => {
    state.summary.duration = duration;
    const event = scroll(duration);
    recording.events.push(event as never);
    told();
    recording.onEvents?.([event]);
  };
  const end = () => {
    state.phase = "loaded";
    told();
  };
  return { player, calls, asked, arrive, end };
}

const picture = { events: [meta(90_000), snapshot(90_001), scroll(95_000)], url: "https://shop.example/pay" };

test("a moment far from what has arrived is drawn by itself until the recording has been read so far", async () => {
  const { player, calls, asked, arrive } = playing(100_000, async () => picture);
  await settled();
  expect(asked).toEqual([100_000]);
  expect(calls).toEqual(["glimpse pause 10000"]);
  expect(player.state()).toMatchObject({ at: 100_000, url: "https://shop.example/pay" });
  player.play();
  expect(player.state()).toMatchObject({ at: 100_000, isPlaying: true, isWaiting: true });
  arrive(99_999);
  expect(calls).toHaveLength(1);
  arrive(100_000);
  expect(calls.slice(1)).toEqual(["glimpse destroy", "whole play 100000"]);
  expect(player.state()).toMatchObject({ at: 100_000, isPlaying: true, isWaiting: false, url: undefined });
  expect(asked).toHaveLength(1);
});

test("of several moments in a row only the last is asked for, and what was drawn stays until it is there", async () => {
  vi.useFakeTimers();
  const { player, calls, asked } = playing(100_000, async () => picture);
  await vi.advanceTimersByTimeAsync(0);
  for (let second = 105; second <= 130; second += 5) player.seek(second * 1_000);
  expect([player.state().at, calls]).toEqual([130_000, ["glimpse pause 10000"]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked, calls.slice(1)]).toEqual([
    [100_000, 130_000],
    ["glimpse destroy", "glimpse pause 40000"],
  ]);
});

test("somebody who goes back to what has arrived does not wait for the moment any more", async () => {
  const { player, calls, arrive } = playing(100_000, async () => picture);
  await settled();
  player.seek(3_000);
  expect(calls).toEqual(["glimpse pause 10000", "glimpse destroy", "whole pause 3000"]);
  arrive(200_000);
  await settled();
  expect(player.state().at).toBe(3_000);
});

test("without a picture the recording is shown as far as it has arrived, and the moment once it has", async () => {
  for (const answer of [async () => undefined, async () => Promise.reject(new Error("offline"))]) {
    const { player, calls, asked, arrive } = playing(100_000, answer);
    await settled();
    expect(calls).toEqual(["whole pause 5000"]);
    player.play();
    expect(player.state()).toMatchObject({ isPlaying: true, isWaiting: false });
    player.pause();
    arrive(100_500);
    await settled();
    expect([player.state().at, asked.length]).toEqual([100_000, 1]);
    expect(calls.filter((call) => call === "whole add")).toHaveLength(1);
  }
});

test("a moment beyond the end is the end", async () => {
  const { player, calls, end } = playing(100_000, async () => picture);
  await settled();
  end();
  expect(calls.slice(1)).toEqual(["glimpse destroy", "whole pause 5000"]);
  expect(player.state().at).toBe(5_000);
});

test("a moment that has nearly arrived is waited for", async () => {
  const { calls, asked } = playing(34_000, async () => picture);
  await settled();
  expect([calls, asked]).toEqual([["whole pause 5000"], []]);
});
