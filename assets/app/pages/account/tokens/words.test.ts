import { expect, test } from "vitest";
import { lifetimes, standingOf, widest } from "./words.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

test("a token lives until it expires or is revoked", () => {
  expect(standingOf({ revoked_at: null, expires_at: null }, now)).toBe("live");
  expect(standingOf({ revoked_at: null, expires_at: "2026-11-21T12:00:01Z" }, now)).toBe("live");
  expect(standingOf({ revoked_at: null, expires_at: "2026-11-21T12:00:00Z" }, now)).toBe("expired");
  expect(standingOf({ revoked_at: "2026-11-20T00:00:00Z", expires_at: "2026-11-21T00:00:00Z" }, now)).toBe("revoked");
});

test("of several scopes the widest counts", () => {
  expect(widest(["admin", "read"])).toBe("admin");
  expect(widest(["read", "write"])).toBe("write");
  expect(widest([])).toBe("read");
});

test("every lifetime that is offered is taken by the server", () => {
  for (const { value } of lifetimes) if (value !== "") expect(Number(value) >= 1 && Number(value) <= 366).toBe(true);
});
