// A trigger as its form holds it, for all providers at once.

import type { CreateTrigger, Provider, Trigger } from "../../api/schema.d.ts";
import { configOf, githubEvents, issueEvents, type OwnProvider, providers } from "./words.ts";

export interface Values extends Record<string, unknown> {
  provider: OwnProvider;
  name: string;
  /** Of an issue. */
  events: string[];
  projects: string[];
  environments: string[];
  levels: string[];
  query: string;
  /** Of the only project; empty: all issues. */
  viewId: string;
  cron: string;
  timezone: string;
  /** On GitHub. */
  happenings: string[];
  phrase: string;
  branches: string[];
  repositories: string[];
}

/** Whether its triggers have a form here. */
export const isOwn = (provider: Provider): provider is OwnProvider => provider in providers;

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** The person's own time zone. */
const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export function formOf(trigger: Trigger | null): Values {
  const provider = trigger && isOwn(trigger.provider) ? trigger.provider : "errors";
  const config = trigger ? configOf(trigger) : {};
  const events = texts(config.events);
  return {
    provider,
    name: trigger?.name ?? "",
    events: provider === "errors" && trigger ? events : ["issue.created"],
    projects: texts(config.projectIds),
    environments: texts(config.environments),
    levels: texts(config.levels),
    query: text(config.query, ""),
    viewId: typeof config.viewId === "number" ? String(config.viewId) : "",
    cron: text(config.cron, "0 3 * * 1-5"),
    timezone: text(config.timezone, here()),
    happenings: provider === "github" && events.length > 0 ? events : Object.keys(githubEvents),
    phrase: text(config.phrase, "/mayday"),
    branches: texts(config.branches),
    repositories: texts(config.repositories),
  };
}

/** The configuration to send; `before` has the values that the form does not show. */
export function configFor(values: Values, before: Record<string, unknown> = {}): NonNullable<CreateTrigger["config"]> {
  return config(values, before) as NonNullable<CreateTrigger["config"]>;
}

function config(values: Values, before: Record<string, unknown>): object {
  switch (values.provider) {
    case "errors":
      return {
        events: Object.keys(issueEvents).filter((event) => values.events.includes(event)),
        projectIds: values.projects.map(Number),
        environments: values.environments,
        levels: values.levels,
        query: values.query.trim() || null,
        ...(values.projects.length === 1 && values.viewId !== "" && { viewId: Number(values.viewId) }),
        ...(before.ruleIds !== undefined && { ruleIds: before.ruleIds }),
      };
    case "schedule":
      return { cron: values.cron.trim(), timezone: values.timezone.trim() };
    case "github":
      return {
        events: values.happenings,
        phrase: values.phrase.trim(),
        branches: values.branches,
        repositories: values.repositories,
        ...(before.fromAnybody !== undefined && { fromAnybody: before.fromAnybody }),
      };
    case "webhook":
      return before;
  }
}

/** A call of an inbound address, as a shell makes it. The secret is in the environment. */
export function curlExample(address: string): string {
  return [
    `body='{"what": "something happened"}'`,
    `signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$MAYDAY_WEBHOOK_SECRET" -r | cut -d' ' -f1)`,
    `curl -sS '${address}' -H 'Content-Type: application/json' -H "X-Webhook-Signature: sha256=$signature" -d "$body"`,
  ].join("\n");
}
