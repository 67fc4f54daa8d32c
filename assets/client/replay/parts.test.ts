import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { MaydayEvent } from "../types.ts";
import { batch, fitting } from "./batch.ts";
import { chunkOf } from "./chunk.ts";
import { steady } from "./clock.ts";
import { bare, entryOf, errorOf } from "./entries.ts";
import { RRWEB } from "./format.ts";
import { type Line, ring } from "./ring.ts";
import { sizeOf } from "./upload.ts";

const line = (at: number, begins = false, json = `{"at":${at}}`): Line => ({ json, at, begins, isPicture: false });
const picture = (at: number, json?: string): Line => ({ ...line(at, false, json), isPicture: true });
const times = (lines: Line[]) => lines.map(({ at }) => at);

const minute = 60_000;
/** A snapshot at one minute, and another event a little later. */
const part = (at: number) => [line(at * minute, true), line(at * minute + 30_000)];

test("the ring keeps five minutes, and what precedes them since a snapshot", () => {
  const kept = ring();
  for (const each of [0, 1, 2, 3, 4, 5, 6, 7].flatMap(part)) kept.add(each);
  expect(times(kept.drain())).toEqual([2, 3, 4, 5, 6, 7].flatMap(part).map(({ at }) => at));
  expect(kept.drain()).toEqual([]);
});

test("a section without recent events is dropped, so nothing from before an idle hour is replayed", () => {
  const kept = ring();
  for (const each of [...part(0), ...part(1), ...part(70)]) kept.add(each);
  expect(times(kept.drain())).toEqual(part(70).map(({ at }) => at));
});

test("a full ring drops its oldest sections, and then waits for a new snapshot", () => {
  const kept = ring(4, 1_000);
  for (const at of [1, 3]) {
    kept.add(line(at, true));
    kept.add(line(at + 1));
  }
  expect(kept.add(line(5))).toBe(true);
  expect(kept.add(line(6))).toBe(true);
  expect(kept.add(line(7))).toBe(false);
  expect([kept.add(line(8)), kept.isWhole()]).toEqual([false, false]);
  expect(kept.add(line(9, true))).toBe(true);
  expect(kept.isWhole()).toBe(true);
  expect(times(kept.drain())).toEqual([9]);
  const small = ring(100, 20);
  expect(small.add(line(1, true, "x".repeat(30)))).toBe(false);
});

test("at most ten thousand events and five million characters are kept", () => {
  const many = ring();
  many.add(line(0, true));
  let kept = 1;
  while (many.add(line(kept))) kept += 1;
  expect(kept).toBe(10_000);
  const large = ring();
  large.add(line(0, true, "x".repeat(4_000_000)));
  expect(large.add(line(1, false, "x".repeat(1_000_000)))).toBe(true);
  expect(large.add(line(2))).toBe(false);
  const cut = ring(100, 50);
  expect(cut.add(line(0, true))).toBe(true);
  expect(cut.add({ ...picture(1), more: ["x".repeat(20), "x".repeat(20)] })).toBe(false);
});

test("after being set back, the clock continues from where it was, and small steps back stay", () => {
  const time = steady();
  expect([1_000_000, 1_000_500, 999_900].map((each) => time(each))).toEqual([1_000_000, 1_000_500, 999_900]);
  expect([1_000, 1_600, 3_000].map((each) => time(each))).toEqual([1_000_500, 1_001_100, 1_002_500]);
  expect(time(9_000_000)).toBe(9_999_500);
});

test("a batch is full by its size, and its beginning fits into a beacon", () => {
  const gathered = batch();
  expect(gathered.add(line(1))).toBe(false);
  expect(gathered.add(line(2, false, "x".repeat(200_000)))).toBe(true);
  const lines = gathered.drain();
  expect(gathered.drain()).toEqual([]);
  expect(times(fitting(lines, 60_000, sizeOf))).toEqual([1]);
  expect(times(fitting(lines, 300_000, sizeOf))).toEqual([1, 2]);
  // Bytes count, not characters.
  expect(fitting([line(1, false, "ä".repeat(10))], 15, sizeOf)).toEqual([]);
});

test("a batch is not full, and a beacon does not end, between the beginning of a picture and the picture", () => {
  const gathered = batch();
  expect(gathered.add(line(1, false, "x".repeat(199_990)))).toBe(false);
  expect([gathered.add(line(2, true)), gathered.add(line(3)), gathered.add(picture(4))]).toEqual([false, false, true]);
  expect(gathered.add(line(5))).toBe(true);
  gathered.drain();
  // A page that could not be pictured: what is gathered next is full as ever.
  gathered.add(line(6, true));
  gathered.drain();
  expect(gathered.add(line(7, false, "x".repeat(200_000)))).toBe(true);
  // What goes on with a picture comes right after it.
  gathered.drain();
  expect([gathered.add(line(8, true)), gathered.add({ ...picture(9), more: ["{}"] })]).toEqual([false, true]);
  const lines = [line(1), line(2, true), line(3), picture(4, "x".repeat(100)), line(5)];
  expect(times(fitting(lines, 60, sizeOf))).toEqual([1]);
  expect(times(fitting(lines, 135, sizeOf))).toEqual([1, 2, 3, 4]);
  expect(times(fitting(lines, 1_000, sizeOf))).toEqual([1, 2, 3, 4, 5]);
});

test("requests are recorded without their queries, unless somebody wants them", () => {
  const data = { method: "GET", url: "/cart?q=tea#a", status_code: 404, duration: 12 };
  expect(entryOf({ category: "fetch", data }, false)).toEqual([
    "mayday.network",
    { kind: "fetch", method: "GET", url: "/cart", status: 404, duration: 12 },
  ]);
  expect(entryOf({ category: "xhr", data }, true)[1].url).toBe("/cart?q=tea#a");
  expect(entryOf({ category: "navigation", data: { from: "/a?x=1", to: "/b#y" } }, false)[1]).toEqual({
    from: "/a",
    to: "/b",
  });
  expect(entryOf({ category: "console", level: "warning", message: "cart" }, false)).toEqual([
    "mayday.console",
    { level: "warning", message: "cart" },
  ]);
  expect(entryOf({ category: "ui.click", message: "button", data }, false)).toEqual([
    "mayday.crumb",
    { category: "ui.click", level: undefined, message: "button" },
  ]);
  expect(bare("https://a.example/b?c", false)).toBe("https://a.example/b");
});

test("an error is named by its id, type and message", () => {
  const event = { event_id: "e", level: "error", exception: { type: "TypeError", message: "x" } } as MaydayEvent;
  expect(errorOf(event)).toEqual({ event_id: "e", level: "error", type: "TypeError", message: "x" });
});

test("the stated version of rrweb is the bundled one", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect([dependencies["@rrweb/record"], dependencies["@rrweb/replay"]]).toEqual([RRWEB, RRWEB]);
});

test("a chunk has the replay's metadata, and the last one the number of chunks", () => {
  const kept = { id: "r", session_id: "s", window_id: "w", next: 0, started: 5, until: 9, lost: 0, event_id: "e" };
  const told = {
    options: { key: "pk_x", url: "https://mayday.example", release: "1.0" },
    who: { user: { id: "7" } },
    url: "/cart",
  };
  const [only, ...others] = chunkOf([line(5, true), picture(8)], kept, told, false);
  expect(others).toEqual([]);
  const first = JSON.parse(only!);
  expect(first).not.toHaveProperty("part");
  expect(first).toMatchObject({
    api_key: "pk_x",
    session_id: "s",
    window_id: "w",
    replay_id: "r",
    event_id: "e",
    chunk_index: 0,
    total_chunks: null,
    metadata: {
      start_timestamp: 5,
      end_timestamp: 8,
      has_full_snapshot: true,
      release: "1.0",
      url: "/cart",
      rrweb_version: RRWEB,
      user: { id: "7" },
    },
    events: [{ at: 5 }, { at: 8 }],
  });
  const last = JSON.parse(chunkOf([line(9)], { ...kept, next: 3 }, told, true)[0]!);
  expect([last.chunk_index, last.total_chunks]).toEqual([3, 4]);
  const more = ['{"at":8,"more":1}', '{"at":8,"more":2}'];
  const parts = chunkOf([line(5, true), { ...picture(8), more }], kept, told, false).map((part) => JSON.parse(part));
  expect(parts.map(({ part, chunk_index, events }) => [chunk_index, part.index, part.count, events])).toEqual([
    [0, 0, 3, [{ at: 5 }, { at: 8 }]],
    [0, 1, 3, [{ at: 8, more: 1 }]],
    [0, 2, 3, [{ at: 8, more: 2 }]],
  ]);
  const same = { api_key: "pk_x", replay_id: "r", metadata: { end_timestamp: 8 } };
  for (const each of parts) expect(each).toMatchObject(same);
});
