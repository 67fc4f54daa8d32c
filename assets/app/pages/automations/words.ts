// Names and descriptions of automations, triggers and events.

import type { AutomationEvent, EventStatus, Provider, Trigger } from "../../api/schema.d.ts";
import { counted, took } from "../../ui/format.ts";

/** Providers whose triggers are created here; others need a connection. */
export const providers = {
  errors: {
    label: "An issue in Mayday",
    brief: "issues",
    about: "A new issue, one that regresses or escalates, or an alert rule",
  },
  schedule: { label: "A schedule", brief: "a schedule", about: "At times that repeat" },
  webhook: {
    label: "A webhook",
    brief: "a webhook",
    about: "A signed call from anywhere: a deploy, a form, another tool",
  },
  github: { label: "GitHub", brief: "GitHub", about: "A push, a comment with a phrase, or a check that failed" },
} as const;

export type OwnProvider = keyof typeof providers;

const otherProviders: Record<Exclude<Provider, OwnProvider>, string> = {
  linear: "Linear",
  slack: "Slack",
  custom: "A client of its own",
};

export const providerName = (provider: Provider): string =>
  provider in providers
    ? providers[provider as OwnProvider].label
    : otherProviders[provider as keyof typeof otherProviders];

/** The providers of an automation's triggers, in a few words. */
export const calledBy = (all: readonly Provider[]): string =>
  all
    .map((each) => (each in providers ? providers[each as OwnProvider].brief : providerName(each)))
    .join(", ")
    .replace(/^a |^./, (start) => (start === "a " ? "A " : start.toUpperCase()));

/** The names of issue events in triggers. */
export const issueEvents = {
  "issue.created": "is new",
  "issue.regressed": "regresses",
  "issue.escalating": "escalates",
  "alert.fired": "makes an alert rule fire",
} as const;

export const githubEvents = {
  push: "commits were pushed",
  issue_comment: "a comment has the phrase",
  check_failure: "a check failed",
} as const;

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A view by its name, or one whose name is not known. */
const viewWords = (name: string | undefined): string => (name === undefined ? "a view" : `the view “${name}”`);

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A trigger's configuration, as the server stores it. */
export const configOf = ({ config }: Pick<Trigger, "config">) => config as Record<string, unknown>;

/** The view that a trigger is limited to, and its project. */
export function viewOf(trigger: Pick<Trigger, "config">): { project: number; view: number } | undefined {
  const { projectIds, viewId } = configOf(trigger);
  const [project] = listOf(projectIds).map(Number);
  return project === undefined || typeof viewId !== "number" ? undefined : { project, view: viewId };
}

/** When a trigger calls, in a sentence; `view` is the name of its view, once that is known. */
export function triggerWords(trigger: Pick<Trigger, "provider" | "config">, view?: string): string {
  const config = configOf(trigger);
  const events = listOf(config.events);
  switch (trigger.provider) {
    case "errors": {
      const when = either(events.map((event) => issueEvents[event as keyof typeof issueEvents] ?? event));
      const filters = [
        ...listOf(config.levels),
        ...listOf(config.environments),
        textOf(config.query),
        viewOf(trigger) === undefined ? "" : viewWords(view),
        listOf(config.projectIds).length > 0 ? counted(listOf(config.projectIds).length, "project") : "",
      ].filter((word) => word !== "");
      return `When an issue ${when}${filters.length > 0 ? ` (${filters.join(", ")})` : ""}`;
    }
    case "schedule":
      return `${textOf(config.cron)}, ${textOf(config.timezone) || "UTC"}`;
    case "github": {
      const all = events.length === 0 ? Object.keys(githubEvents) : events;
      return `When ${either(all.map((event) => githubEvents[event as keyof typeof githubEvents] ?? event))}`;
    }
    default:
      return "When its address is called";
  }
}

const skips: Record<string, string> = {
  automation_disabled: "the automation is off",
  filter: "it is not what the trigger asks for",
  rate_limited: "too many sessions were started within the hour",
  already_running: "a session about this issue is going on",
  cooldown: "a session about this was started shortly before",
  min_events: "the issue has too few events",
  seen_within_days: "the issue was not seen lately",
  budget_usd: "the month’s money is spent",
  budget_minutes: "the month’s minutes are used up",
  queue_full: "too many sessions wait for a runner",
  no_runner: "no runner took it within a day",
};

/** Why a call started no session, as the rest of a sentence. */
export const skipWords = (reason: string): string => skips[reason] ?? reason.replaceAll("_", " ");

const kinds: Record<string, string> = {
  manual: "Run by hand",
  schedule: "Schedule",
  webhook: "Webhook",
  "issue.created": "New issue",
  "issue.regressed": "Issue regressed",
  "issue.escalating": "Issue escalated",
  "alert.fired": "Alert rule fired",
};

/** The name of an event's kind. */
export function kindWords(kind: string): string {
  const known = kinds[kind];
  if (known !== undefined) return known;
  const words = kind.replace(/^github\./, "GitHub: ").replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const eventStatuses: Record<EventStatus, string> = {
  queued: "waits for a runner",
  processing: "being worked on",
  completed: "completed",
  failed: "failed",
  skipped: "skipped",
};

/** The outcome of an event, with its reason. */
export function outcomeWords({ status, reason }: Pick<AutomationEvent, "status" | "reason">): string {
  if (reason === null) return eventStatuses[status];
  return status === "skipped"
    ? `skipped: ${skipWords(reason)}`
    : `${eventStatuses[status]}: ${reason.replaceAll("_", " ")}`;
}

/** US dollars: `$0.00`, `$1,234.50`; an amount below a cent is not shown as zero. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return "< $0.01";
  return new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(usd);
}

/** What sessions cost; it is known that none cost nothing, and unknown what others cost that say nothing. */
export function costWords(usd: number, sessions: number): string {
  return usd > 0 || sessions === 0 ? dollars(usd) : "unknown";
}

/** What is known in whole minutes, of so many sessions: `0 s`, `under 1 min`, `1 h 12 min`. */
export function minuteWords(minutes: number, sessions: number): string {
  if (minutes > 0) return took(minutes * 60_000).replace(/ 0 s$/, "");
  return sessions === 0 ? "0 s" : "under 1 min";
}

/** Agents for which runners have built-in commands. */
export const agents = ["claude-code", "codex", "opencode", "aider"];
