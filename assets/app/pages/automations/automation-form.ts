// The form values of an automation; an empty text means not set.

import type { Automation, AutomationFields } from "../../api/schema.d.ts";
import { type CapValues, capsOf, capValues } from "../../ui/caps.ts";

type Count = number | string;

export interface Values extends CapValues {
  name: string;
  description: string;
  instructions: string;
  agentType: string;
  modelId: string;
  /** Empty: the repository of the project. */
  prebuild: string;
  mayChoose: boolean;
  mayPush: boolean;
  labels: string[];
  timeLimit: Count;
  onePerIssue: boolean;
  maxRunsPerHour: Count;
  cooldown: Count;
  minEvents: Count;
  seenWithin: Count;
  monthlyMinutes: Count;
  monthlyBudget: Count;
}

export function formOf(automation: Automation): Values {
  const { gates } = automation;
  return {
    name: automation.name,
    description: automation.description,
    instructions: automation.agent_instructions,
    agentType: automation.agent_type,
    modelId: automation.model_id ?? "",
    prebuild: automation.default_prebuild_id ?? "",
    mayChoose: automation.allow_agentic_repo_selection,
    mayPush: automation.may_open_pull_requests,
    labels: automation.runner_labels,
    timeLimit: automation.time_limit_minutes,
    ...capValues(automation.caps),
    onePerIssue: gates.one_per_issue ?? true,
    maxRunsPerHour: gates.max_runs_per_hour ?? "",
    cooldown: gates.cooldown_minutes ?? "",
    minEvents: gates.min_events ?? "",
    seenWithin: gates.seen_within_days ?? "",
    monthlyMinutes: gates.monthly_minutes ?? "",
    monthlyBudget: gates.monthly_budget_usd ?? "",
  };
}

const numberOr = (given: Count): number | null => (given === "" ? null : Number(given));

export function fieldsOf(values: Values): AutomationFields {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    agentInstructions: values.instructions,
    agentType: values.agentType.trim(),
    modelId: values.modelId.trim() || null,
    defaultPrebuildId: values.prebuild || null,
    allowAgenticRepoSelection: values.mayChoose,
    mayOpenPullRequests: values.mayPush,
    runnerLabels: values.labels,
    timeLimitMinutes: Number(values.timeLimit),
    caps: capsOf(values),
    gates: {
      one_per_issue: values.onePerIssue,
      max_runs_per_hour: numberOr(values.maxRunsPerHour),
      cooldown_minutes: numberOr(values.cooldown),
      min_events: numberOr(values.minEvents),
      seen_within_days: numberOr(values.seenWithin),
      monthly_minutes: numberOr(values.monthlyMinutes),
      monthly_budget_usd: numberOr(values.monthlyBudget),
    },
  };
}
