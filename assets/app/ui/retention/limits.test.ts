import { expect, test } from "vitest";
import { environmentOf, fieldsOf, limitWords, problemOf, removalWords, settingsOf, triedOf } from "./limits.ts";

const nothing = { days: null, count: null, megabytes: null };

test("limits are described in words", () => {
  expect(limitWords(nothing)).toBe("everything");
  expect(limitWords({ days: 1, count: 5_000, megabytes: 2_048 })).toBe("1 day, newest 5,000, 2.0 GiB");
  expect(removalWords("replays", { count: 2, bytes: 2_048 })).toBe("2 session replays (2.0 KiB)");
  expect(removalWords("logs", { count: 1, bytes: 2_048 })).toBe("1 log entry (2.0 KiB)");
});

test("stored limits are unchanged by the fields", () => {
  const stored = {
    events: { ...nothing, days: 30 },
    logs: { days: 0, count: null, megabytes: 7 },
    replays: { ...nothing, count: 9 },
  };
  const fields = fieldsOf(stored);
  expect(fields).toMatchObject({ events_days: "30", events_count: "", logs_days: "0", logs_megabytes: "7" });
  expect(settingsOf(fields)).toEqual(stored);
  expect(triedOf(fields)).toEqual({ events_days: 30, logs_days: 0, logs_megabytes: 7, replays_count: 9 });
  expect(environmentOf(fields)).toBe(
    "SERVICE_RETENTION_EVENTS_DAYS=30\nSERVICE_RETENTION_LOGS_DAYS=0\nSERVICE_RETENTION_LOGS_MB=7\nSERVICE_RETENTION_REPLAYS_COUNT=9",
  );
  expect(settingsOf(fieldsOf(undefined))).toEqual({ events: nothing, logs: nothing, replays: nothing });
});

test("only whole numbers within the server's bounds are accepted", () => {
  for (const good of ["", " 3650 ", "0"]) expect(problemOf("events_days", good)).toBeUndefined();
  for (const bad of ["3651", "-1", "1.5", "x", "1e3"]) expect(problemOf("logs_days", bad)).toContain("3,650");
  expect(triedOf({ ...fieldsOf(undefined), logs_days: "x", logs_count: "5" })).toEqual({ logs_count: 5 });
});
