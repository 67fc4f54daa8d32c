import { expect, test } from "vitest";
import { clock, waitOf, windows } from "./wait.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

test("the pause is read from seconds or a date", () => {
  expect(waitOf("37", now)).toBe(37);
  expect(waitOf("Sat, 21 Nov 2026 12:02:00 GMT", now)).toBe(120);
});

test("an unreadable or excessive pause becomes a default", () => {
  expect([null, "", "soon", "1e3"].map((text) => waitOf(text, now))).toEqual([60, 60, 60, 60]);
  expect(waitOf("0", now)).toBe(1);
  expect(waitOf("Sat, 21 Nov 2026 11:00:00 GMT", now)).toBe(1);
  expect(waitOf("999999", now)).toBe(900);
  expect(waitOf("999999", now, windows.requests)).toBe(3600);
});

test("pauses are shown in minutes and seconds", () => {
  expect([5, 60, 245].map(clock)).toEqual(["5 s", "1 min 00 s", "4 min 05 s"]);
});
