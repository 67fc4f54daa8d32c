// Describes retention limits in words, and converts them to and from form fields.

import type { RetentionLimits, Removal, RetentionRule, RetentionSettings } from "../../api/schema.d.ts";
import { bytes, counted, exact } from "../format.ts";

/** The numbers of a rule, in the order in which they are shown. */
export const numbers = ["days", "count", "megabytes"] as const;
export type NumberName = (typeof numbers)[number];
export const kinds = ["events", "logs", "replays"] as const;
export type KindName = (typeof kinds)[number];

/** The largest values that the server accepts. */
const most: Record<NumberName, number> = { days: 3_650, count: 1_000_000_000_000, megabytes: 1_000_000_000 };

/** What is counted. */
export function unitOf(kind: KindName, count: number): string {
  if (kind === "logs") return counted(count, "log entry", "log entries");
  return counted(count, kind === "events" ? "event" : "session replay");
}

/** `30 days, newest 1,000`; `everything` without a limit. */
export function limitWords({ days, count, megabytes }: RetentionLimits): string {
  const parts = [
    days !== null && counted(days, "day"),
    count !== null && `newest ${exact(count)}`,
    megabytes !== null && bytes(megabytes * 1024 * 1024),
  ].filter((part) => part !== false);
  return parts.length === 0 ? "everything" : parts.join(", ");
}

/** Whether limits would remove something. */
export const removesAny = (removals: Record<KindName, Removal>): boolean =>
  kinds.some((kind) => removals[kind].count > 0);

/** What limits would remove: `12,345 events (1.2 GiB)`. */
export const removalWords = (kind: KindName, { count, bytes: size }: Removal): string =>
  `${unitOf(kind, count)} (${bytes(size)})`;

export type Field = `${KindName}_${NumberName}`;
export type Fields = Record<Field, string>;
export const fieldNames: readonly Field[] = kinds.flatMap((kind) =>
  numbers.map((number) => `${kind}_${number}` as const),
);

/** The texts of the fields; empty where a project uses the instance's limit. */
export function fieldsOf(settings: RetentionSettings | undefined): Fields {
  const text = (kind: KindName, number: NumberName) => String(settings?.[kind]?.[number] ?? "");
  return Object.fromEntries(
    kinds.flatMap((kind) => numbers.map((number) => [`${kind}_${number}`, text(kind, number)])),
  ) as Fields;
}

/** The error in a field's text, if any. */
export function problemOf(field: Field, text: string): string | undefined {
  const number = numbers.find((name) => field.endsWith(`_${name}`)) ?? "days";
  const given = text.trim();
  if (given === "" || (/^\d{1,13}$/.test(given) && Number(given) <= most[number])) return undefined;
  return `Enter a whole number from 0 to ${exact(most[number])}, or nothing.`;
}

/** The fields as query parameters; empty ones are left out. */
export function triedOf(fields: Fields): Partial<Record<Field, number>> {
  return Object.fromEntries(
    fieldNames.flatMap((field) => {
      const text = fields[field].trim();
      return text === "" || problemOf(field, text) !== undefined ? [] : [[field, Number(text)]];
    }),
  );
}

/** The settings from the fields. */
export function settingsOf(fields: Fields): RetentionSettings {
  const rule = (kind: KindName) =>
    Object.fromEntries(
      numbers.map((number) => {
        const text = fields[`${kind}_${number}`].trim();
        return [number, text === "" ? null : Number(text)];
      }),
    ) as RetentionRule;
  return { events: rule("events"), logs: rule("logs"), replays: rule("replays") };
}

const variables: Record<Field, string> = {
  events_days: "SERVICE_RETENTION_EVENTS_DAYS",
  events_count: "SERVICE_RETENTION_EVENTS_COUNT",
  events_megabytes: "SERVICE_RETENTION_EVENTS_MB",
  logs_days: "SERVICE_RETENTION_LOGS_DAYS",
  logs_count: "SERVICE_RETENTION_LOGS_COUNT",
  logs_megabytes: "SERVICE_RETENTION_LOGS_MB",
  replays_days: "SERVICE_RETENTION_REPLAYS_DAYS",
  replays_count: "SERVICE_RETENTION_REPLAYS_COUNT",
  replays_megabytes: "SERVICE_RETENTION_REPLAYS_MB",
};

/** The environment variables with which an operator sets these limits for all projects. */
export const environmentOf = (fields: Fields): string =>
  Object.entries(triedOf(fields))
    .map(([field, number]) => `${variables[field as Field]}=${number}`)
    .join("\n");
