import { expect, test } from "vitest";
import type { LogEntry } from "../../../api/schema.d.ts";
import { grown, pageOf, parted } from "./timeline.ts";

const entry = (second: number) => ({ id: second, timestamp: `2026-11-21T10:00:0${second}.000Z` }) as LogEntry;

test("the page is the one around the event", () => {
  expect(pageOf(5, { before: 10, after: 10 })).toEqual({ offset: 0, limit: 15 });
  expect(pageOf(5_000, { before: 10, after: 10 })).toEqual({ offset: 4_990, limit: 20 });
  expect(pageOf(5_000, { before: 400, after: 400 }).limit).toBe(800);
  // Entries beyond the largest offset cannot be loaded.
  expect(pageOf(200_000, { before: 10, after: 10 })).toEqual({ offset: 100_000, limit: 1_000 });
  expect([10, 40, 160, 400].map(grown)).toEqual([40, 160, 400, 400]);
});

test("the event is between the entries before and after it", () => {
  const entries = [1, 2, 3, 4].map(entry);
  const ids = ({ before, after }: ReturnType<typeof parted>) => [before.map(({ id }) => id), after.map(({ id }) => id)];
  expect(ids(parted(entries, "2026-11-21T10:00:02.000Z"))).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(ids(parted(entries, "2026-11-21T09:00:00.000Z"))).toEqual([[], [1, 2, 3, 4]]);
  expect(ids(parted(entries, "2026-11-21T11:00:00.000Z"))).toEqual([[1, 2, 3, 4], []]);
});
