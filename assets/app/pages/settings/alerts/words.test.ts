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

test("what a rule is limited to is said, with the name of its view", () => {
  const all = { environments: [], levels: [], releases: [], tags: [], query: null, view_id: null };
  expect(filterWords({})).toBe("");
  expect(filterWords({ filters: all })).toBe("");
  expect(filterWords(rule)).toBe("Only error, production, a:b, x, issues of a view");
  expect(filterWords({ filters: { ...all, view_id: 7 } }, "Carts")).toBe("Only issues of the view “Carts”");
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
