import { expect, test } from "vitest";
import { momentsOf } from "../player/moments.ts";
import { atOf, begunAt, believedLagOf, clockNote, lagOf, spanOf } from "./clock.ts";
import { emptySummary } from "./summary.ts";

const start = Date.parse("2026-11-21T10:00:00Z");
const minute = 60_000;
/** Something that happened so many seconds after the beginning, and was received some seconds later. */
const at = (lag: number, seconds: number, delay: number) => {
  const time = start + seconds * 1_000;
  return atOf(time, time + delay * 1_000, { start, lag: lag * 1_000 }) / 1_000;
};

test("without a difference every time is what it says, however late it was received", () => {
  expect([at(0, 5, 1), at(0, 5, 900), at(0, 5, -4)]).toEqual([5, 5, 5]);
});

test("server times shift when the browser's clock was ahead, and the page's own do not", () => {
  // Received by the server's clock before it happened by the browser's.
  expect([at(-180, 5, -179), at(-180, 5, -170), at(-180, 5, -60)]).toEqual([5, 5, 5]);
  expect([at(-15, 5, -9), at(-15, 5, -14)], "gathered for a while").toEqual([5, 5]);
  expect([at(-180, -175, 0.1), at(-180, -175, 40), at(-180, -175, -2)]).toEqual([5, 5, 5]);
});

test("server times shift when the browser's clock was behind, too", () => {
  expect([at(180, 5, 178), at(180, 5, 184), at(180, 5, 300)]).toEqual([5, 5, 5]);
  expect([at(180, 185, 0.1), at(180, 185, 120)]).toEqual([5, 5]);
});

test("a difference of seconds shifts only what is certainly a server's time", () => {
  // Ahead: a page sends within six seconds.
  expect([at(-5, 5, -5), at(-5, 5, 0), at(-5, 5, 0.9)]).toEqual([5, 5, 5]);
  expect([at(-5, 0, 1), at(-5, 0, 4)]).toEqual([5, 5]);
  expect([at(-2, 5, -2), at(-2, 5, 3.9)]).toEqual([5, 5]);
  // Behind: nothing of the page arrives sooner than that.
  expect([at(5, 5, 5), at(5, 5, 10)]).toEqual([5, 5]);
  expect([at(5, 10, 0.1), at(5, 10, 3.9)]).toEqual([5, 5]);
});

test("of a clock that the server does not believe it tells its own times", () => {
  const hours = [-2, -1, 1, 24 * 30, 24 * 31];
  const believable = hours.map((lag) => believedLagOf({ clock_lag_ms: lag * 60 * minute }) / (60 * minute));
  expect(believable).toEqual([0, -1, 1, 720, 0]);
});

test("a replay began by the server’s clock, and never later than its first part was received", () => {
  const received_at = new Date(start).toISOString();
  const begun = (told: number, clock_lag_ms: number | null) =>
    (begunAt({ start_timestamp: start + told, received_at, clock_lag_ms }) - start) / 1_000;
  expect(begun(-5_000, null), "no difference is known").toBe(-5);
  expect(begun(55_000, -minute), "ahead").toBe(-5);
  expect(begun(-65_000, minute), "behind").toBe(-5);
  expect(begun(9_000, null), "ahead by less than is known of").toBe(0);
  expect(begun(-5_000, -2 * 60 * minute), "not believed").toBe(-5);
});

test("the times that are asked for are those of both clocks", () => {
  const seconds = (lag: number) => spanOf({ start, lag }, minute, 5_000).map((time) => (time - start) / 1_000);
  expect([seconds(0), seconds(-3 * minute), seconds(3 * minute)]).toEqual([
    [-5, 65],
    [-185, 65],
    [-5, 245],
  ]);
  expect(spanOf({ start: 1_000, lag: -minute }, minute)).toEqual([0, 61_000]);
});

test("errors that the recording does not name lie where they happened, by either clock", () => {
  const summary = { ...emptySummary(start), duration: minute };
  const error = (event_id: string, seconds: number, delay: number) => {
    const timestamp = start + seconds * 1_000;
    const received_at = new Date(timestamp + delay * 1_000).toISOString();
    return { event_id, issue_id: 1, title: event_id, timestamp, received_at };
  };
  const moments = momentsOf(summary, [error("page", 20, -179), error("server", -150, 1)], -3 * minute);
  expect(moments.map(({ at, words }) => [at / 1_000, words])).toEqual([
    [20, "page"],
    [30, "server"],
  ]);
});

test("the difference is said once, with whose times are shown", () => {
  const noteOf = (lag: number | null, told = start) => clockNote({ clock_lag_ms: lag, start_timestamp: told }, start);
  expect(noteOf(-179_600)).toBe(
    "The browser’s clock was about 3 min ahead of the server’s; times in the recording are the browser’s, and logs of both are lined up.",
  );
  expect(noteOf(6_200_000)).toContain("about 2 h behind the server’s; times in the recording are the browser’s");
  expect(noteOf(-17_800)).toContain("about 18 s ahead");
  // A clock that is not believed.
  expect(noteOf(-400 * 24 * 60 * minute, start - 400 * 24 * 60 * minute + 900)).toContain(
    "about 400 days ahead of the server’s; times in the recording are the server’s",
  );
  expect(noteOf(null)).toBeUndefined();
  expect(clockNote({ clock_lag_ms: -minute, start_timestamp: start }, 0)).toBeUndefined();
  expect(lagOf({ clock_lag_ms: -15_300 })).toBe(-15_000);
});
