import { expect, test } from "vitest";
import { noteServerTime, serverNow } from "./server-clock.ts";

test("a clock that is wrong here is not asked for times", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  noteServerTime("Sat, 21 Nov 2026 12:05:00 GMT", now);
  expect(serverNow(now)).toBe(now + 300_000);
  // Nothing that can be read: what was known stays.
  noteServerTime(null, now);
  noteServerTime("yesterday", now);
  expect(serverNow(now)).toBe(now + 300_000);
  noteServerTime("Sat, 21 Nov 2026 12:00:01 GMT", now);
  expect(serverNow(now)).toBe(now);
});
