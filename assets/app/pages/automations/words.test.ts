import { expect, test } from "vitest";
import {
  calledBy,
  costWords,
  dollars,
  either,
  kindWords,
  minuteWords,
  outcomeWords,
  skipWords,
  triggerWords,
  viewOf,
} from "./words.ts";

test("a trigger says when it calls", () => {
  const words = (provider: Parameters<typeof triggerWords>[0]["provider"], config: object, view?: string) =>
    triggerWords({ provider, config: config as Record<string, never> }, view);
  expect(words("errors", { events: ["issue.created", "issue.regressed"], levels: ["fatal"], projectIds: [1, 2] })).toBe(
    "When an issue is new or regresses (fatal, 2 projects)",
  );
  expect(words("errors", { events: ["issue.created"], query: null })).toBe("When an issue is new");
  expect(words("errors", { events: ["issue.created"], projectIds: [1], viewId: 5 })).toBe(
    "When an issue is new (a view, 1 project)",
  );
  expect(words("errors", { events: ["issue.created"], projectIds: [1], viewId: 5 }, "Carts")).toBe(
    "When an issue is new (the view “Carts”, 1 project)",
  );
  expect(words("schedule", { cron: "0 3 * * 1-5", timezone: "Europe/Berlin" })).toBe("0 3 * * 1-5, Europe/Berlin");
  expect(words("github", { events: [] })).toBe("When commits were pushed, a comment has the phrase or a check failed");
  expect(words("webhook", {})).toBe("When its address is called");
});

test("a trigger's view is one of its only project", () => {
  const of = (config: object) => viewOf({ config: config as Record<string, never> });
  expect(of({ projectIds: [3], viewId: 5 })).toEqual({ project: 3, view: 5 });
  expect(of({ projectIds: [3] })).toBeUndefined();
  expect(of({ viewId: 5 })).toBeUndefined();
});

test("the outcome of a call is shown with its reason", () => {
  expect(outcomeWords({ status: "skipped", reason: "cooldown" })).toBe(
    "skipped: a session about this was started shortly before",
  );
  expect(outcomeWords({ status: "failed", reason: "exit code 1" })).toBe("failed: exit code 1");
  expect(outcomeWords({ status: "queued", reason: null })).toBe("waits for a runner");
  expect(skipWords("some_new_reason")).toBe("some new reason");
});

test("every kind of call has a name, including kinds of later servers", () => {
  expect(kindWords("manual")).toBe("Run by hand");
  expect(kindWords("github.check_failure")).toBe("GitHub: check failure");
  expect(kindWords("some.thing_new")).toBe("Some thing new");
});

test("a cost is zero only where nothing can have cost anything, and unknown elsewhere", () => {
  expect(costWords(0, 0)).toBe("$0.00");
  expect(costWords(0, 2)).toBe("unknown");
  expect(costWords(1.5, 2)).toBe("$1.50");
});

test("whole minutes of sessions are not called none", () => {
  expect(minuteWords(0, 0)).toBe("0 s");
  expect(minuteWords(0, 1)).toBe("under 1 min");
  expect(minuteWords(4, 1)).toBe("4 min");
  expect(minuteWords(72, 1)).toBe("1 h 12 min");
});

test("costs are shown in dollars and cents", () => {
  expect(dollars(0)).toBe("$0.00");
  expect(dollars(0.004)).toBe("< $0.01");
  expect(dollars(1234.5)).toBe("$1,234.50");
});

test("alternatives are joined with commas and an or", () => {
  expect(either([])).toBe("");
  expect(either(["a"])).toBe("a");
  expect(either(["a", "b", "c"])).toBe("a, b or c");
});

test("providers are summed up in a few words", () => {
  expect(calledBy([])).toBe("");
  expect(calledBy(["errors", "github", "schedule"])).toBe("Issues, GitHub, a schedule");
  expect(calledBy(["webhook", "linear"])).toBe("A webhook, Linear");
});
