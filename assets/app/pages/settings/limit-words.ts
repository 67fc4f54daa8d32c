// Describes the limits that people may reach: what each applies to, and what happens beyond it.

import type { FacetUsage, Limits } from "../../api/schema.d.ts";
import { bytes, exact } from "../../ui/format.ts";

export interface Words {
  what: string;
  /** What happens beyond the limit. */
  over: string;
  /** The variable of the server that sets it. */
  variable?: string;
}

const large = "Refused with 413";
const often = "Refused with 429 and a Retry-After header";

interface Group {
  title: string;
  about: string;
  words: Record<string, Words>;
}

/** The limits that people may reach. The others are in docs/limits.md. */
export const groups: Partial<Record<keyof Limits, Group>> = {
  rate: {
    title: "Rates",
    about:
      "How much this project may send, and how many requests a person may make. A short burst above a rate is accepted: as much as the rate allows in one second (in ten, for kilobytes), or one batch of events or log entries.",
    words: {
      events_per_second: {
        what: "Error events",
        over: often,
        variable: "SERVICE_RATE_LIMIT_ERRORS_PER_SECOND",
      },
      logs_per_second: {
        what: "Log entries",
        over: often,
        variable: "SERVICE_RATE_LIMIT_LOGS_PER_SECOND",
      },
      kilobytes_per_second: {
        what: "Kilobytes of events and log entries (uncompressed) and of replays (as sent)",
        over: often,
        variable: "SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND",
      },
      replays_per_second: {
        what: "Requests with session replays",
        over: often,
        variable: "SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND",
      },
      uploads_per_hour: {
        what: "Source map uploads",
        over: often,
        variable: "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR",
      },
      requests_per_hour: {
        what: "API requests per person",
        over: often,
        variable: "SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR",
      },
    },
  },
  disk: {
    title: "Disk space",
    about: "When less than twice this is free, the project that has taken the most space lately is refused first.",
    words: {
      floor_bytes: {
        what: "Minimum free space on the server's disk",
        over: "Below it, everything new is refused with 503",
        variable: "SERVICE_DISK_FLOOR_MB",
      },
    },
  },
  event: {
    title: "Sizes",
    about: "Longer texts and lists inside an event are truncated, with a note on the event.",
    words: {
      bytes: { what: "Event, uncompressed", over: large },
      batch_bytes: { what: "Batch of events, uncompressed", over: large },
      batch_events: { what: "Events in a batch", over: "The whole batch is refused with 422" },
    },
  },
  release: {
    title: "Source maps",
    about: "",
    words: { source_map_bytes: { what: "Source map", over: large, variable: "SERVICE_SOURCEMAP_MAX_MB" } },
  },
};

/** A limit with its unit, which is the end of its name. */
export function amount(name: string, value: number): string {
  if (name === "bytes" || name.endsWith("_bytes")) return bytes(value).replace(".0 ", " ");
  if (name.endsWith("_chars")) return `${exact(value)} characters`;
  if (name.endsWith("_milliseconds")) return duration(value);
  if (name.endsWith("_hours")) return `${exact(value)} hours`;
  if (name.endsWith("_per_second")) return `${exact(value)} per second`;
  if (name.endsWith("_per_hour")) return `${exact(value)} per hour`;
  return exact(value);
}

/** In the largest unit that gives a whole number. */
export function duration(milliseconds: number): string {
  const units: [number, string][] = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ];
  for (const [size, unit] of units) {
    if (milliseconds >= size && milliseconds % size === 0) {
      const count = milliseconds / size;
      return `${exact(count)} ${unit}${count === 1 ? "" : "s"}`;
    }
  }
  return `${exact(milliseconds)} ms`;
}

/** How many of a kind of values a project has, and how many are counted. */
export interface Share {
  what: string;
  /** `undefined` until it is known. */
  count: number | undefined;
  most: number;
}

export const sharesOf = (facets: FacetUsage | undefined, { issue }: Limits): Share[] => [
  { what: "Environments", count: facets?.environments, most: issue.project_values },
  { what: "Releases", count: facets?.releases, most: issue.project_values },
  { what: "Tags", count: facets?.tags, most: issue.project_tags },
  { what: "Tag values", count: facets?.tag_values, most: issue.project_tag_values },
];

/**
 * Of what a project has as many as are counted: "environments, values of the tag `order`"; `undefined` while there is
 * room for all.
 */
export function fullWords(shares: readonly Share[], tags: readonly string[] = []): string | undefined {
  const full = shares.filter(({ count = 0, most }) => count >= most).map(({ what }) => what.toLowerCase());
  if (tags.length > 0)
    full.push(`values of the tag${tags.length === 1 ? "" : "s"} ${tags.map((tag) => `\`${tag}\``).join(", ")}`);
  return full.length === 0 ? undefined : full.join(", ");
}

export interface Row extends Words {
  name: string;
  value: number;
}
export interface Section {
  name: string;
  title: string;
  about: string;
  rows: Row[];
}

/** The described limits of a server, in order, without those that are not set. */
export function sectionsOf(limits: Limits): Section[] {
  return Object.entries(groups).flatMap(([name, { title, about, words }]) => {
    const values = limits[name as keyof Limits] as unknown as Record<string, unknown>;
    const rows = Object.entries(words).flatMap(([key, told]): Row[] => {
      const value = values[key];
      return typeof value === "number" ? [{ name: key, value, ...told }] : [];
    });
    return rows.length === 0 ? [] : [{ name, title, about, rows }];
  });
}
