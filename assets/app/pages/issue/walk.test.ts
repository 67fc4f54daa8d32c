import { expect, test } from "vitest";
import type { EventSummary, WalkedEvent } from "../../api/schema.d.ts";
import { event } from "./samples.ts";
import { isEndOpen, walkNow } from "./walk.ts";

const walked = (newer: string | null = null): WalkedEvent => ({
  event: event({ id: 5, event_id: "e", timestamp: "2026-11-21T10:00:00.000Z" }),
  walk: { first: "a", older: "d", newer, last: newer ?? "e" },
});
const newest = (id: number, timestamp: string) => ({ id, timestamp, event_id: `n${id}` }) as EventSummary;

test("a newer event becomes the last one", () => {
  expect(walkNow(walked(), newest(6, "2026-11-21T10:00:01.000Z"))).toEqual({
    first: "a",
    older: "d",
    newer: null,
    last: "n6",
  });
  expect(walkNow(walked(), newest(6, "2026-11-21T10:00:00.000Z")).last).toBe("n6");
});

test("an older event changes nothing", () => {
  expect(walkNow(walked(), newest(6, "2026-11-21T09:59:59.000Z")).last).toBe("e");
  expect(walkNow(walked(), newest(5, "2026-11-21T10:00:00.000Z")).last).toBe("e");
  expect(walkNow(walked(), undefined).last).toBe("e");
});

test("the end is refetched only when a newer event exists", () => {
  expect(isEndOpen(walked(), newest(6, "2026-11-21T10:00:01.000Z"))).toBe(true);
  expect(isEndOpen(walked(), newest(4, "2026-11-21T09:00:00.000Z"))).toBe(false);
  expect(isEndOpen(walked("f"), newest(6, "2026-11-21T10:00:01.000Z"))).toBe(false);
  expect(isEndOpen(walked(), null)).toBe(false);
});
