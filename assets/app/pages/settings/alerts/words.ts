// Names and descriptions of channels and rules, and the form values of a rule.

import type {
  AlertChannelKind,
  AlertCondition,
  AlertDelivery,
  AlertPreview,
  AlertRule,
  NewAlertRule,
} from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";

export const kinds: Record<AlertChannelKind, { label: string; url: string; about: string }> = {
  webhook: {
    label: "Webhook",
    url: "https://example.com/hooks/mayday",
    about: "JSON, signed according to Standard Webhooks",
  },
  slack: { label: "Slack", url: "https://hooks.slack.com/services/…", about: "An incoming webhook, or one like it" },
  discord: { label: "Discord", url: "https://discord.com/api/webhooks/…", about: "A webhook of a channel" },
  teams: {
    label: "Microsoft Teams",
    url: "https://….logic.azure.com/workflows/…",
    about: "A workflow that posts cards",
  },
  ntfy: { label: "ntfy", url: "https://ntfy.sh/my-topic", about: "A topic, on ntfy.sh or a server of your own" },
  template: {
    label: "JSON of your own",
    url: "https://example.com/",
    about: "JSON with placeholders that are filled in",
  },
};

export type ConditionType = AlertCondition["type"];

export const conditions: Record<ConditionType, string> = {
  new: "An issue is new",
  regressed: "An issue regresses",
  escalating: "An issue escalates",
  high_value: "A high-value account is affected",
  events: "An issue has many events",
  logs: "Many log entries match a search",
};

const ofPeople = (users: number | null | undefined) =>
  typeof users === "number" ? `, and more than ${counted(users, "person", "people")},` : "";

/** When a rule fires, in a line. */
export function conditionWords(condition: AlertCondition): string {
  switch (condition.type) {
    case "events":
      return `More than ${counted(condition.count, "event")}${ofPeople(condition.users)} of an issue in ${condition.minutes} min`;
    case "logs":
      return `More than ${counted(condition.count, "log entry", "log entries")} in ${condition.minutes} min match “${condition.search}”`;
    default:
      return conditions[condition.type];
  }
}

/** Values of a filter that are named; the others are in its form. */
const namedMax = 4;

/** `a, b or c`; of many, the first and how many others. */
function listed(values: readonly string[], word: "or" | "and"): string {
  const named = values.length > namedMax + 1 ? values.slice(0, namedMax) : values;
  const others = values.length - named.length;
  const all = others > 0 ? [...named, `${others} others`] : named;
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(", ")} ${word} ${all.at(-1)}`;
}

/**
 * Which events and issues a rule is about, in words, each filter with its name; none: all. `view` is the name of its
 * view, if that is known.
 */
export function filterWords({ filters }: Pick<AlertRule, "filters">, view?: string): string[] {
  const { environments = [], levels = [], releases = [], tags = [], query, view_id } = filters ?? {};
  const pairs = tags.map(({ key, value }) => `${key}:${value}`);
  const words = [
    levels.length > 0 ? `level ${listed(levels, "or")}` : "",
    environments.length > 0 ? `environment ${listed(environments, "or")}` : "",
    releases.length > 0 ? `release ${listed(releases, "or")}` : "",
    pairs.length > 0 ? `${pairs.length === 1 ? "tag" : "tags"} ${listed(pairs, "and")}` : "",
    query ? `query “${query}”` : "",
    typeof view_id !== "number" ? "" : view === undefined ? "issues of a view" : `view “${view}”`,
  ].filter((word) => word !== "");
  return words.map((word, at) => (at === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word));
}

const states: Record<string, string> = { sent: "Sent", pending: "Waiting", failed: "Failed", withdrawn: "Withdrawn" };

/** How a message went. */
export function outcome({ status, attempts, reason }: AlertDelivery): string {
  const word = states[status] ?? status;
  if (status === "sent" || reason === null) return word;
  return `${word} after ${counted(attempts, "failed attempt")}: ${reason}`;
}

/** A rule as a form holds it. */
export type RuleForm = {
  name: string;
  type: ConditionType;
  count: number | string;
  minutes: number | string;
  /** Empty: people are not counted. */
  users: number | string;
  search: string;
  environments: string[];
  levels: string[];
  releases: string[];
  /** Each as `key:value`. */
  tags: string[];
  query: string;
  /** Empty: all issues. */
  view_id: string;
  channels: string[];
  quiet: number | string;
};

export function ruleForm(rule: AlertRule | undefined): RuleForm {
  const condition: AlertCondition = rule?.condition ?? { type: "new" };
  const numbers = "count" in condition ? condition : { count: 10, minutes: 10 };
  return {
    name: rule?.name ?? "",
    type: condition.type,
    count: numbers.count,
    minutes: numbers.minutes,
    users: (condition.type === "events" ? condition.users : null) ?? "",
    search: condition.type === "logs" ? condition.search : "",
    environments: rule?.filters?.environments ?? [],
    levels: rule?.filters?.levels ?? [],
    releases: rule?.filters?.releases ?? [],
    tags: (rule?.filters?.tags ?? []).map(({ key, value }) => `${key}:${value}`),
    query: rule?.filters?.query ?? "",
    view_id: String(rule?.filters?.view_id ?? ""),
    channels: (rule?.channels ?? []).map(String),
    quiet: rule?.quiet_minutes ?? 60,
  };
}

/** The key and value of a tag, separated by its first colon. */
function tag(text: string): { key: string; value: string } {
  const at = text.indexOf(":");
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** The error in entered tags, if any. */
export function tagsProblem(tags: string[]): string | undefined {
  const wrong = tags.find((text) => !text.includes(":") || tag(text).key === "" || tag(text).value === "");
  return wrong === undefined ? undefined : `Write ${wrong} as key:value.`;
}

/** The rule to send. */
export function newRule(form: RuleForm, before: AlertRule | undefined): NewAlertRule {
  const [count, minutes] = [Number(form.count), Number(form.minutes)];
  const condition: AlertCondition =
    form.type === "events"
      ? { type: "events", count, minutes, ...(form.users !== "" && { users: Number(form.users) }) }
      : form.type === "logs"
        ? { type: "logs", search: form.search, count, minutes }
        : { type: form.type };
  const filters = {
    environments: form.environments,
    levels: form.levels,
    releases: form.releases,
    tags: form.tags.map(tag),
    query: form.query.trim() || null,
    view_id: form.view_id === "" ? null : Number(form.view_id),
  };
  return {
    name: form.name.trim(),
    condition,
    ...(form.type !== "logs" && { filters }),
    channels: form.channels.map(Number),
    quiet_minutes: Number(form.quiet),
    enabled: before?.enabled ?? true,
  };
}

/** How often a rule would have fired. */
export function previewWords({ count, suppressed, examples, since }: AlertPreview, now = Date.now()): string {
  const times = count === 0 ? "It would not have fired" : `It would have fired ${counted(count, "time")}`;
  const hours = since ? Math.round((now - Date.parse(since)) / 3_600_000) : 168;
  const span = hours < 168 ? `the last ${counted(hours, "hour")}: there is too much for more` : "the last 7 days";
  const more =
    suppressed > 0
      ? ` ${counted(suppressed, "more message")} would have been withheld: at most 30 are sent an hour.`
      : "";
  const last = examples.find(({ title }) => title !== "");
  return `${times} in ${span}.${more}${last ? ` The last time: ${last.title}` : ""}`;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
