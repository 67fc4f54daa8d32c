import { expect, test } from "vitest";
import { noteServerTime, serverNow } from "./server-clock.ts";

test("the server's time is used if this clock is wrong", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  noteServerTime("Sat, 21 Nov 2026 12:05:00 GMT", now);
  expect(serverNow(now)).toBe(now + 300_000);
  // An unreadable header changes nothing.
  noteServerTime(null, now);
  noteServerTime("yesterday", now);
  expect(serverNow(now)).toBe(now + 300_000);
  noteServerTime("Sat, 21 Nov 2026 12:00:01 GMT", now);
  expect(serverNow(now)).toBe(now);
});
