import { expect, test } from "vitest";
import { asChange, ignoredWords, untilWords, valueProblem } from "./question.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

test("a version is needed to resolve in it", () => {
  expect(valueProblem("version", "  ", now)).toBe("Enter a version.");
  expect(valueProblem("version", " 1.4.2 ", now)).toBeUndefined();
  expect(asChange("version", " 1.4.2 ", now)).toEqual({ status: "resolved", resolved_in_release: "1.4.2" });
});

test("an issue is ignored until a time to come", () => {
  for (const text of ["", "soon", "now", "2 h ago"])
    expect(valueProblem("until", text, now), text).toBe("Enter a time in the future.");
  expect(valueProblem("until", "in 3 days", now)).toBeUndefined();
  expect(asChange("until", "in 3 days", now)).toEqual({
    status: "ignored",
    ignore_until: "2026-11-24T12:00:00.000Z",
  });
});

test("the examples of a time are all to come", () => {
  const now = new Date(2026, 11, 28, 23, 30).getTime();
  expect(untilWords("", now)).toBe("Such as tomorrow 09:00, in 3 days, or 4 Jan 2027, 14:05");
  for (const example of ["tomorrow 09:00", "in 3 days", "4 Jan 2027, 14:05"])
    expect(valueProblem("until", example, now)).toBeUndefined();
  expect(untilWords("in 3 days", now)).toBe("31 Dec 2026, 23:30:00, in 3 d");
});

test("a number of events or of users is whole and within the bounds of the server", () => {
  for (const text of ["", "0", "-1", "1.5", "many", "1000001"])
    expect(valueProblem("events", text, now), text).toBe("Enter a whole number from 1 to 1,000,000.");
  for (const text of ["1", "1000000"]) expect(valueProblem("users", text, now), text).toBeUndefined();
  expect(asChange("events", "25", now)).toEqual({ status: "ignored", ignore_events: 25 });
  expect(asChange("users", "3", now)).toEqual({ status: "ignored", ignore_users: 3 });
});

test("a message about several issues says until when they are ignored", () => {
  expect(ignoredWords(asChange("events", "100", now))).toBe("ignored until 100 more events");
  expect(ignoredWords(asChange("users", "1", now))).toBe("ignored until 1 more user");
  expect(ignoredWords(asChange("until", "in 3 days", now))).toMatch(/^ignored until 2\d Nov 2026, /);
});
