import { expect, test } from "vitest";
import type { Issue } from "../../api/schema.d.ts";
import { allUsersWords, chartWords, countsOf, hintsOf } from "./counts.ts";

test("a list with limits counts what happened within them", () => {
  const issue = { event_count: 9, trend: [1, 2], first_seen: "a", last_seen: "d" } as unknown as Issue;
  expect(countsOf(issue)).toEqual({ events: 9, trend: [1, 2], firstSeen: "a", lastSeen: "d" });
  const within = { event_count: 4, trend: [4], bar_hours: 6, first_seen: "b", last_seen: "c" };
  expect(countsOf({ ...issue, within })).toEqual({ events: 4, trend: [4], firstSeen: "b", lastSeen: "c" });
});

test("columns of a list with limits say what they are about", () => {
  expect(hintsOf({})).toEqual({});
  expect(hintsOf({ environment: "qa" })).toEqual({
    events: "Events in qa",
    users: "Users in every environment",
    lastSeen: "Last event in qa",
    firstSeen: "First event in qa",
  });
  expect(hintsOf({ period: "7d" })).toEqual({
    events: "Events in the last 7 days",
    users: "Users at any time",
    firstSeen: "First event, also before this period",
  });
  expect(hintsOf({ environment: "qa", period: "7d" })).toEqual({
    events: "Events in qa in the last 7 days",
    users: "Users in every environment at any time",
    lastSeen: "Last event in qa",
    firstSeen: "First event in qa, also before this period",
  });
});

test("users are those of all events, whatever the limits", () => {
  expect(allUsersWords({})).toBe("");
  expect(allUsersWords({ period: "24h" })).toBe("at any time");
  expect(allUsersWords({ environment: "qa", period: "24h" })).toBe("in every environment at any time");
});

test("a chart's period and bars are described", () => {
  expect(chartWords({})).toEqual({ label: "in the last 24 hours", unit: "hour" });
  expect(chartWords({ environment: "qa", period: "7d" })).toEqual({
    label: "in qa in the last 7 days",
    unit: "6 hours",
  });
  expect(chartWords({ period: "30d" }).unit).toBe("day");
});
