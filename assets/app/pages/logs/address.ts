// The state of the log explorer, all of which is in the address.

import type { LogLevel } from "../../api/schema.d.ts";

/** From the least. */
export const levels = ["trace", "debug", "info", "warn", "error", "fatal"] as const satisfies readonly LogLevel[];

const minute = 60_000;
const hour = 60 * minute;

/** Ranges up to now, by their names in the address; lengths in milliseconds. */
export const ranges = {
  "15m": { length: 15 * minute, label: "Last 15 minutes" },
  "1h": { length: hour, label: "Last hour" },
  "24h": { length: 24 * hour, label: "Last 24 hours" },
  "7d": { length: 7 * 24 * hour, label: "Last 7 days" },
  "30d": { length: 30 * 24 * hour, label: "Last 30 days" },
} as const;
export type RangeName = keyof typeof ranges;
export const defaultRange: RangeName = "24h";

/** Views besides the entries, which need no name. */
const views = ["templates", "tail"] as const;

/** Every field is always present, as the router would otherwise merge in the current address. */
export interface LogSearch {
  query: string | undefined;
  environment: string | undefined;
  /** Of the levels, comma-separated; all of them when missing. */
  levels: string | undefined;
  range: RangeName | undefined;
  /** ISO 8601; either of them is there instead of `range`. */
  from: string | undefined;
  to: string | undefined;
  view: (typeof views)[number] | undefined;
  /** The field whose values are shown, or `all` for the names; without it the panel is closed. */
  fields: string | undefined;
  /** The entry whose details are shown. */
  entry: number | undefined;
  /** The entry whose context is shown in place of the results. */
  context: number | undefined;
}

/** Reads an address, and drops unknown parameters. */
export function logSearch(search: Record<string, unknown>): LogSearch {
  const text = (name: string) => (search[name] === undefined || search[name] === "" ? undefined : String(search[name]));
  const time = (name: string) => {
    const at = Date.parse(text(name) ?? "");
    return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
  };
  const id = (name: string) => (/^\d{1,16}$/.test(text(name) ?? "") ? Number(text(name)) : undefined);
  const [from, to] = [time("from"), time("to")];
  const range = (Object.keys(ranges) as RangeName[]).find((name) => name === text("range"));
  return {
    query: text("query"),
    environment: text("environment"),
    levels: levelsText(levelsOf(text("levels"))),
    range: from || to ? undefined : range,
    from,
    to,
    view: views.find((name) => name === text("view")),
    fields: text("fields"),
    entry: id("entry"),
    context: id("context"),
  };
}

/** The levels in a text; none means all. */
export function levelsOf(text: string | undefined): LogLevel[] {
  const named = new Set(text?.split(",").map((name) => name.trim()));
  return levels.filter((level) => named.has(level));
}

/** The levels as text; none and all mean the same, and need no text. */
export function levelsText(chosen: readonly LogLevel[]): string | undefined {
  const some = levels.filter((level) => chosen.includes(level));
  return some.length === 0 || some.length === levels.length ? undefined : some.join(",");
}

/** With a level taken in, or out. */
export const toggled = (text: string | undefined, level: LogLevel): string | undefined => {
  const chosen = levelsOf(text);
  return levelsText(chosen.includes(level) ? chosen.filter((each) => each !== level) : [...chosen, level]);
};

/** From the first entry on, whatever its time. */
export const anyTimeRange = (): Pick<LogSearch, "range" | "from" | "to"> => ({
  range: undefined,
  from: new Date(0).toISOString(),
  to: undefined,
});
