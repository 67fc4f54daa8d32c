import { expect, test } from "vitest";
import { ago, bytes, counted, exact, exactMoment, local, percent, short, took, utc } from "./format.ts";

test("counts are shortened and keep their exact value", () => {
  expect([0, 999, 9_999, 10_000, 12_345, 1_234_567].map(short)).toEqual(["0", "999", "9,999", "10K", "12.3K", "1.2M"]);
  expect(exact(1_234_567)).toBe("1,234,567");
  expect([counted(1, "event"), counted(0, "event"), counted(2, "entry", "entries")]).toEqual([
    "1 event",
    "0 events",
    "2 entries",
  ]);
});

test("sizes are binary", () => {
  expect([0, 1023, 1024, 11_953_766, 2 ** 41].map(bytes)).toEqual(["0 B", "1023 B", "1.0 KiB", "11.4 MiB", "2.0 TiB"]);
});

test("durations have at most two units", () => {
  expect([0, 999, 1_000, 59_949, 59_950, 245_000, 4_320_000, 3_600_000 * 1_000].map(took)).toEqual([
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 min 0 s",
    "4 min 5 s",
    "1 h 12 min",
    "1,000 h 0 min",
  ]);
});

test("a share is never rounded to 0% or 100%", () => {
  expect([percent(1, 1_000), percent(999, 1_000), percent(1, 3), percent(0, 5), percent(5, 5), percent(1, 0)]).toEqual([
    "<1%",
    ">99%",
    "33%",
    "0%",
    "100%",
    "0%",
  ]);
});

test("times are relative to now, in both directions", () => {
  const now = Date.UTC(2026, 10, 21);
  const told = (seconds: number) => ago(now - seconds * 1000, now);
  expect([0, 4, 59, 60, 3_599, 7_200, 86_400 * 3, 86_400 * 45, 86_400 * 800].map(told)).toEqual([
    "now",
    "now",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "2 h ago",
    "3 d ago",
    "1 mo ago",
    "2 y ago",
  ]);
  // The sender's clock is ahead.
  expect([told(-20), told(-90)]).toEqual(["now", "in 1 min"]);
  expect(ago(Number.NaN, now)).toBe("at an unknown time");
});

test("an exact time names its zone, and an invalid one does not throw", () => {
  expect(utc(Date.UTC(2026, 10, 21, 14, 5, 9, 123))).toBe("2026-11-21 14:05:09.123 UTC");
  expect([utc(Number.NaN), local(Number.NaN), exactMoment(Number.NaN)]).toEqual(["unknown", "unknown", "unknown"]);
  expect(exactMoment(new Date(2026, 10, 21, 14, 5, 9, 123).getTime())).toBe("21 Nov 14:05:09.123");
});
