import { expect, test } from "vitest";
import type { AlertDelivery, AlertRule } from "../../../api/schema.d.ts";
import { conditionWords, filterWords, newRule, outcome, previewWords, ruleForm } from "./words.ts";

const rule: AlertRule = {
  id: 1,
  project_id: 1,
  name: "Many",
  condition: { type: "events", count: 5, minutes: 10 },
  filters: {
    environments: ["production"],
    levels: ["error"],
    releases: [],
    tags: [{ key: "a", value: "b" }],
    query: "x",
    view_id: 7,
  },
  channels: [3],
  problem: null,
  quiet_minutes: 30,
  enabled: false,
  last_fired_at: null,
  suppressed: 0,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

test("a rule survives its form", () => {
  const { name, condition, filters, channels, quiet_minutes, enabled } = rule;
  expect(newRule(ruleForm(rule), rule)).toEqual({ name, condition, filters, channels, quiet_minutes, enabled });
  const logs = { ...ruleForm(undefined), type: "logs" as const, search: "level:error", count: "0" };
  expect(newRule(logs, undefined).condition).toEqual({ type: "logs", search: "level:error", count: 0, minutes: 10 });
  expect(newRule(logs, undefined)).not.toHaveProperty("filters");
  expect(newRule(ruleForm(undefined), undefined).filters?.view_id).toBeNull();
});

test("people are counted if the form says so", () => {
  const condition = { type: "events" as const, count: 0, minutes: 5, users: 20 };
  expect(newRule(ruleForm({ ...rule, condition }), rule).condition).toEqual(condition);
  expect(conditionWords(condition)).toBe("More than 0 events, and more than 20 people, of an issue in 5 min");
});

test("conditions and outcomes read as sentences", () => {
  expect(conditionWords(rule.condition)).toBe("More than 5 events of an issue in 10 min");
  expect(conditionWords({ type: "new" })).toBe("An issue is new");
  const sent = { status: "sent", attempts: 1, reason: "the receiver answered 500" } as AlertDelivery;
  expect(outcome(sent)).toBe("Sent");
  expect(outcome({ ...sent, status: "pending" })).toBe("Waiting after 1 failed attempt: the receiver answered 500");
});

test("what a rule is limited to is said, each filter with its name, and the view by its own", () => {
  const all = { environments: [], levels: [], releases: [], tags: [], query: null, view_id: null };
  expect(filterWords({})).toEqual([]);
  expect(filterWords({ filters: all })).toEqual([]);
  expect(filterWords(rule)).toEqual([
    "Level error",
    "environment production",
    "tag a:b",
    "query “x”",
    "issues of a view",
  ]);
  expect(filterWords({ filters: { ...all, view_id: 7 } }, "Carts")).toEqual(["View “Carts”"]);
});

test("of several values of a filter, one has to match; all tags do; of many values the first are named", () => {
  const all = { environments: [], levels: [], releases: [], tags: [], query: null, view_id: null };
  const tags = ["plan", "tier", "zone"].map((key) => ({ key, value: "1" }));
  expect(filterWords({ filters: { ...all, levels: ["error", "fatal"], environments: ["a", "b", "c"], tags } })).toEqual(
    ["Level error or fatal", "environment a, b or c", "tags plan:1, tier:1 and zone:1"],
  );
  const releases = Array.from({ length: 20 }, (_, at) => `1.${at}`);
  expect(filterWords({ filters: { ...all, releases } })).toEqual(["Release 1.0, 1.1, 1.2, 1.3 or 16 others"]);
  expect(filterWords({ filters: { ...all, releases: releases.slice(0, 5) } })).toEqual([
    "Release 1.0, 1.1, 1.2, 1.3 or 1.4",
  ]);
});

test("a preview says how often, since when, and what the limit keeps back", () => {
  const now = Date.parse("2026-01-08T00:00:00Z");
  const example = { at: "2026-01-07T00:00:00Z", issue_id: 1, title: "Boom" };
  const preview = { count: 1, suppressed: 0, examples: [example], since: "2026-01-01T00:00:00Z" };
  expect(previewWords(preview, now)).toBe("It would have fired 1 time in the last 7 days. The last time: Boom");
  const busy = { count: 30, suppressed: 2, examples: [], since: "2026-01-07T21:00:00Z" };
  expect(previewWords(busy, now)).toBe(
    "It would have fired 30 times in the last 3 hours: there is too much for more. 2 more messages would have been withheld: at most 30 are sent an hour.",
  );
});
