import { expect, test } from "vitest";
import type { Automation } from "../../api/schema.d.ts";
import { fieldsOf, formOf } from "./automation-form.ts";

const automation = {
  name: "Look",
  description: "",
  agent_instructions: "Do it",
  agent_type: "codex",
  model_id: null,
  default_prebuild_id: null,
  allow_agentic_repo_selection: true,
  may_open_pull_requests: true,
  runner_labels: ["gpu"],
  time_limit_minutes: 30,
  caps: { tokens: 50_000 },
  gates: { one_per_issue: false, max_runs_per_hour: null, min_events: 3, monthly_budget_usd: 2.5 },
} as unknown as Automation;

test("unchanged values are sent as they were, and an empty limit means no limit", () => {
  expect(fieldsOf(formOf(automation))).toEqual({
    name: "Look",
    description: "",
    agentInstructions: "Do it",
    agentType: "codex",
    modelId: null,
    defaultPrebuildId: null,
    allowAgenticRepoSelection: true,
    mayOpenPullRequests: true,
    runnerLabels: ["gpu"],
    timeLimitMinutes: 30,
    caps: { cost_usd: null, tokens: 50_000, output_bytes: null, files: null },
    gates: {
      one_per_issue: false,
      max_runs_per_hour: null,
      cooldown_minutes: null,
      min_events: 3,
      seen_within_days: null,
      monthly_minutes: null,
      monthly_budget_usd: 2.5,
    },
  });
});
