import { expect, test } from "vitest";
import { local } from "./format.ts";
import { fieldTime, parseMoment } from "./moment.ts";

const at = (...parts: [number, number, number, number?, number?, number?]) => {
  const [year, month, ...rest] = parts;
  return new Date(year, month - 1, ...rest).getTime();
};
const now = at(2026, 11, 26, 15, 14, 9);

test("times in the format of pages are parsed", () => {
  expect(parseMoment(local(now), now)).toBe(now);
  expect(parseMoment("27 Nov 2026", now)).toBe(at(2026, 11, 27));
  expect(parseMoment("3 March, 9:05", now)).toBe(at(2026, 3, 3, 9, 5));
  expect(parseMoment("Sept 3, 2025 at 09:05", now)).toBe(at(2025, 9, 3, 9, 5));
});

test("times in machine formats are parsed", () => {
  expect(parseMoment(fieldTime(now), now)).toBe(now);
  expect(parseMoment("2026-11-27 08:00", now)).toBe(at(2026, 11, 27, 8));
  expect(parseMoment("2026-11-27", now)).toBe(at(2026, 11, 27));
  expect(parseMoment("2026-11-27T08:00:00.5Z", now)).toBe(Date.UTC(2026, 10, 27, 8, 0, 0, 500));
  expect(parseMoment("2026-11-27 08:00:00 UTC", now)).toBe(Date.UTC(2026, 10, 27, 8));
});

test("relative times are parsed", () => {
  expect(parseMoment("now", now)).toBe(now);
  expect(parseMoment(" in  3 days ", now)).toBe(now + 3 * 86_400_000);
  expect(parseMoment("2 h ago", now)).toBe(now - 2 * 3_600_000);
  expect(parseMoment("-15m", now)).toBe(now - 15 * 60_000);
  expect(parseMoment("+1 week", now)).toBe(now + 7 * 86_400_000);
  expect(parseMoment("14:05", now)).toBe(at(2026, 11, 26, 14, 5));
  expect(parseMoment("Tomorrow 09:00", now)).toBe(at(2026, 11, 27, 9));
  expect(parseMoment("yesterday", now)).toBe(at(2026, 11, 25));
});

test("other texts are not times", () => {
  const none = ["", "soon", "31 Apr 2026", "2026-13-01", "25:00", "12:60", "3 foo 2026", "3 days", "11/12/2026"];
  for (const text of none) expect(parseMoment(text, now), text).toBeUndefined();
});
