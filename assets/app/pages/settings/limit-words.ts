// The limits of a server in words: what each applies to, and what happens above it.

import type { Limits } from "../../api/schema.d.ts";
import { bytes, exact } from "../../ui/format.ts";

export interface Words {
  what: string;
  /** What happens above it. */
  over: string;
  /** The variable of the server that sets it. */
  variable?: string;
}

const cut = "Truncated, with a note on the event";
const refused = "Refused with 422";
const large = "Refused with 413";
const often = "Refused with 429 and a Retry-After header";
const dropped = "The rest is dropped, with a note on the event";

/** A group's limits; whatever else the group has is shown elsewhere. */
type Bounds<Name extends keyof Limits> = {
  [Field in keyof Limits[Name] & string as Limits[Name][Field] extends number | null | undefined
    ? Field
    : never]: Words;
};
type Group<Name extends keyof Limits> = { title: string; about: string; words: Bounds<Name> };

/** Groups, starting with the limits that people reach most often. */
export const groups: { [Name in keyof Limits]-?: Group<Name> } = {
  event: {
    title: "Events",
    about: "How much of an event can be sent, and how much of it is stored.",
    words: {
      bytes: { what: "Event, uncompressed", over: large },
      batch_bytes: { what: "Batch of events, uncompressed", over: large },
      batch_events: { what: "Events in a batch", over: "The whole batch is refused with 422" },
      json_depth: { what: "Nested levels in its JSON", over: refused },
      json_values: { what: "Values in its JSON", over: refused },
      id_chars: { what: "event_id", over: refused },
      message_chars: { what: "Message of an event, exception or breadcrumb", over: cut },
      exception_type_chars: { what: "Exception type", over: cut },
      causes: { what: "Causes of an exception", over: dropped },
      stack_chars: { what: "Stack, as text", over: cut },
      frames: { what: "Frames of a stack", over: "The frames closest to the error are kept, with a note on the event" },
      function_chars: { what: "Function or module of a frame", over: cut },
      context_lines: { what: "Source lines sent before and after a frame", over: "The nearest are kept" },
      context_line_chars: { what: "Source line sent with a frame", over: "Truncated" },
      resolved_context_bytes: {
        what: "Source lines that source maps add to an event",
        over: "Frames closest to the error come first",
      },
      breadcrumbs: { what: "Breadcrumbs", over: "The newest are kept, with a note on the event" },
      breadcrumb_data_bytes: { what: "Data of a breadcrumb, as JSON", over: cut },
      breadcrumbs_data_bytes: {
        what: "Data of all breadcrumbs, as JSON",
        over: "The newest come first, with a note on the event",
      },
      tags: { what: "Tags", over: dropped },
      tag_chars: { what: "Key or value of a tag", over: cut },
      extra_and_contexts_bytes: { what: "extra and contexts together, as JSON", over: cut },
      fingerprint_parts: { what: "Parts of a fingerprint", over: dropped },
      fingerprint_part_chars: { what: "Part of a fingerprint", over: cut },
      release_chars: { what: "release", over: cut },
      environment_chars: { what: "environment", over: cut },
      url_chars: { what: "URL", over: cut },
      user_agent_chars: { what: "user_agent", over: cut },
      identity_chars: { what: "ID, e-mail address or name of a user or account", over: cut },
      correlation_id_chars: { what: "ID of a session, window, replay, trace or span", over: cut },
      name_chars: { what: "Short name: platform, category, SDK", over: cut },
      future_milliseconds: {
        what: "Timestamp in the future",
        over: "The time of receipt is used; the original is stored with it",
      },
      past_milliseconds: {
        what: "Timestamp in the past",
        over: "The time of receipt is used; the original is stored with it",
      },
    },
  },
  rate: {
    title: "Rates",
    about:
      "How much this project may send, and how often you may ask. Short bursts above a rate are accepted: as much as one second or one batch, and ten seconds of kilobytes.",
    words: {
      events_per_second: {
        what: "Error events of this project",
        over: often,
        variable: "SERVICE_RATE_LIMIT_ERRORS_PER_SECOND",
      },
      logs_per_second: {
        what: "Log entries of this project",
        over: often,
        variable: "SERVICE_RATE_LIMIT_LOGS_PER_SECOND",
      },
      kilobytes_per_second: {
        what: "Kilobytes of events and log entries of this project, uncompressed, and of replays as sent",
        over: often,
        variable: "SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND",
      },
      replays_per_second: {
        what: "Requests with session replays of this project",
        over: often,
        variable: "SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND",
      },
      uploads_per_hour: {
        what: "Uploads of source maps to this project",
        over: often,
        variable: "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR",
      },
      requests_per_hour: {
        what: "Requests of one person",
        over: often,
        variable: "SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR",
      },
    },
  },
  disk: {
    title: "Disk space",
    about: "Below twice this limit, the project that used the most space lately is refused first.",
    words: {
      floor_bytes: {
        what: "Minimum free space on the server's disk",
        over: "Below it, everything new is refused with 503",
        variable: "SERVICE_DISK_FLOOR_MB",
      },
    },
  },
  release: {
    title: "Releases and source maps",
    about: "What CI can upload.",
    words: {
      source_map_bytes: { what: "Source map", over: large, variable: "SERVICE_SOURCEMAP_MAX_MB" },
      version_chars: { what: "Version", over: refused },
      url_prefix_chars: { what: "url_prefix", over: refused },
      url_chars: { what: "URL of a source map", over: refused },
      page: { what: "Releases in one response", over: refused },
      source_maps_page: { what: "Source maps in one response", over: refused },
    },
  },
  project: {
    title: "Project and keys",
    about: "What you can set here.",
    words: {
      name_chars: { what: "Name of the project or of a key", over: refused },
      platform_chars: { what: "Platform", over: refused },
      keys: { what: "Active keys", over: "Refused with 409: revoke one first" },
      key_environment_chars: { what: "Environment of a key", over: refused },
      scrubbed_names: { what: "Additional field names to scrub", over: refused },
      scrubbed_name_chars: { what: "Additional field name", over: refused },
    },
  },
  issue: {
    title: "Issues",
    about: "What can be counted, searched and changed at once.",
    words: {
      facet_values: {
        what: "Values of a tag, environment or release counted per issue",
        over: "Others are not counted; users and accounts always are",
      },
      facets: { what: "Values of all tags together, counted per issue", over: "Others are not counted" },
      changed_at_once: { what: "Issues changed at once", over: refused },
      query_chars: { what: "Query", over: refused },
      query_terms: { what: "Terms in a query", over: "Others are ignored" },
      tag_filters: { what: "tag.… filters in a query", over: refused },
      trend_hours: { what: "Trend", over: refused },
      page: { what: "Issues or events in one response", over: refused },
    },
  },
  request: {
    title: "Requests",
    about: "From this app and from scripts.",
    words: {
      json_bytes: { what: "JSON body, uncompressed", over: large },
      offset: { what: "Rows that a list can skip", over: refused },
      query_milliseconds: {
        what: "Duration of a read",
        over: "Cancelled with 503; ask for fewer rows or a shorter time",
      },
      arrival_milliseconds: {
        what: "Wait for a body, or for the next part of an upload",
        over: "The request is aborted",
      },
    },
  },
  stream: {
    title: "Live updates",
    about: "For pages that follow a project.",
    words: {
      each: { what: "Open streams of one person or key", over: "Refused with 429: close some pages" },
      all: { what: "Open streams on the whole instance", over: "Refused with 503" },
      ids: { what: "Issues named in a message", over: "The message says that there are more" },
      gap_milliseconds: { what: "Minimum time between messages", over: "Earlier changes are merged" },
    },
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

/** Names that only a newer server has, as words. */
const spelled = (name: string): string => name.replace(/_(bytes|chars|milliseconds)$/, "").replaceAll("_", " ");

/** All limits that the server reports, with those known here described and in order. */
export function sectionsOf(limits: object): Section[] {
  const known = groups as Record<string, { title: string; about: string; words: Record<string, Words> }>;
  const names = [...new Set([...Object.keys(known), ...Object.keys(limits)])];
  return names.flatMap((name) => {
    const values = (limits as Record<string, unknown>)[name];
    if (typeof values !== "object" || values === null) return [];
    const group = known[name] ?? { title: spelled(name), about: "", words: {} };
    const keys = [...new Set([...Object.keys(group.words), ...Object.keys(values)])];
    const rows = keys.flatMap((key): Row[] => {
      const value = (values as Record<string, unknown>)[key];
      if (typeof value !== "number") return [];
      return [{ name: key, value, ...(group.words[key] ?? { what: spelled(key), over: "" }) }];
    });
    return rows.length === 0 ? [] : [{ name, title: group.title, about: group.about, rows }];
  });
}
