import { expect, test } from "vitest";
import type { Trigger } from "../../api/schema.d.ts";
import { configFor, curlExample, formOf, isOwn } from "./trigger-form.ts";

const trigger = (provider: Trigger["provider"], config: object) => ({ provider, name: "T", config }) as Trigger;

test("unchanged values are sent as they were, including those that the form does not show", () => {
  for (const [provider, config] of [
    [
      "errors",
      {
        events: ["issue.regressed", "alert.fired"],
        projectIds: [3],
        environments: ["production"],
        levels: ["fatal"],
        query: "checkout",
        viewId: 5,
        ruleIds: [7],
      },
    ],
    ["schedule", { cron: "*/5 * * * *", timezone: "Europe/Berlin" }],
    ["github", { events: ["push"], phrase: "/fix", branches: ["main"], repositories: ["acme/shop"] }],
    ["github", { events: ["push"], phrase: "/fix", branches: [], repositories: [], fromAnybody: true }],
    ["webhook", { anything: { at: ["all"] } }],
  ] as const) {
    const one = trigger(provider, config);
    expect(configFor(formOf(one), config), provider).toEqual(config);
  }
});

test("a new one begins with new issues", () => {
  const values = formOf(null);
  expect(values.provider).toBe("errors");
  expect(configFor(values)).toEqual({
    events: ["issue.created"],
    projectIds: [],
    environments: [],
    levels: [],
    query: null,
  });
});

test("a view is sent with its project alone", () => {
  const values = formOf(trigger("errors", { events: ["issue.created"], projectIds: [3], viewId: 5 }));
  expect(configFor(values)).toHaveProperty("viewId", 5);
  expect(configFor({ ...values, viewId: "" })).not.toHaveProperty("viewId");
  expect(configFor({ ...values, projects: ["3", "4"] })).not.toHaveProperty("viewId");
  expect(configFor({ ...values, projects: [] })).not.toHaveProperty("viewId");
});

test("only some providers have a form", () => {
  expect(isOwn("linear")).toBe(false);
  expect(isOwn("github")).toBe(true);
});

test("the example names the address", () => {
  expect(curlExample("https://m.example/webhooks/t_1")).toContain("curl -sS 'https://m.example/webhooks/t_1'");
});
