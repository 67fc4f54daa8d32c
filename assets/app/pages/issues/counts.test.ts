import { expect, test } from "vitest";
import type { Issue } from "../../api/schema.d.ts";
import { chartWords, countsOf } from "./counts.ts";

test("a list with limits shows the counts within them", () => {
  const issue = { event_count: 9, trend: [1, 2] } as unknown as Issue;
  expect(countsOf(issue)).toEqual({ events: 9, trend: [1, 2] });
  const within = { event_count: 4, trend: [4], bar_hours: 6 };
  expect(countsOf({ ...issue, within })).toEqual({ events: 4, trend: [4] });
});

test("a chart's period and bars are described", () => {
  expect(chartWords({})).toEqual({ label: "in the last 24 hours", unit: "hour" });
  expect(chartWords({ environment: "qa", period: "7d" })).toEqual({
    label: "in qa in the last 7 days",
    unit: "6 hours",
  });
  expect(chartWords({ period: "30d" }).unit).toBe("day");
});
