// The bounds of a server in words: what each is of, and what happens over it.

import type { Limits } from "../../api/schema.d.ts";
import { bytes, exact } from "../../ui/format.ts";

export interface Words {
  what: string;
  /** What happens over it. */
  over: string;
  /** The variable of the server that sets it. */
  variable?: string;
}

const cut = "Cut, and the event says so";
const refused = "Refused with 422";
const large = "Refused with 413";
const often = "Refused with 429, which says when to come again";
const dropped = "The rest is dropped, and the event says so";

/** A group's bounds: what else it tells is shown otherwise. */
type Bounds<Name extends keyof Limits> = {
  [Field in keyof Limits[Name] & string as Limits[Name][Field] extends number | null | undefined
    ? Field
    : never]: Words;
};
type Group<Name extends keyof Limits> = { title: string; about: string; words: Bounds<Name> };

/** Groups in the order of what people run into. */
export const groups: { [Name in keyof Limits]-?: Group<Name> } = {
  event: {
    title: "Events",
    about: "What may be sent of an error, and what is kept of it.",
    words: {
      bytes: { what: "An event, uncompressed", over: large },
      batch_bytes: { what: "A batch, uncompressed", over: large },
      batch_events: { what: "Events in a batch", over: "The whole batch is refused with 422" },
      json_depth: { what: "Nesting of its JSON", over: refused },
      json_values: { what: "Values in its JSON", over: refused },
      id_chars: { what: "event_id", over: refused },
      message_chars: { what: "A message: of the event, an exception or a breadcrumb", over: cut },
      exception_type_chars: { what: "An exception's type", over: cut },
      causes: { what: "Causes behind an exception", over: dropped },
      stack_chars: { what: "A stack's text", over: cut },
      frames: { what: "Frames of a stack", over: "Those nearest the throw are kept, and the event says so" },
      function_chars: { what: "A frame's function or module", over: cut },
      context_lines: { what: "Source lines sent on each side of a frame", over: "The nearest are kept" },
      context_line_chars: { what: "A source line that was sent", over: "Cut" },
      resolved_context_bytes: {
        what: "Source lines that source maps add to an event",
        over: "Frames nearest the throw get theirs first",
      },
      breadcrumbs: { what: "Breadcrumbs", over: "The newest are kept, and the event says so" },
      breadcrumb_data_bytes: { what: "Data of a breadcrumb, as JSON", over: cut },
      breadcrumbs_data_bytes: {
        what: "Data of all breadcrumbs, as JSON",
        over: "The newest are served first, and the event says so",
      },
      tags: { what: "Tags", over: dropped },
      tag_chars: { what: "A tag's key, and its value", over: cut },
      extra_and_contexts_bytes: { what: "extra and contexts together, as JSON", over: cut },
      fingerprint_parts: { what: "Parts of a fingerprint", over: dropped },
      fingerprint_part_chars: { what: "A part of a fingerprint", over: cut },
      release_chars: { what: "release", over: cut },
      environment_chars: { what: "environment", over: cut },
      url_chars: { what: "An address", over: cut },
      user_agent_chars: { what: "user_agent", over: cut },
      identity_chars: { what: "An id, e-mail or name of a user or account", over: cut },
      correlation_id_chars: { what: "The id of a session, window, replay, trace or span", over: cut },
      name_chars: { what: "A short name: platform, category, the SDK's", over: cut },
      future_milliseconds: {
        what: "How far its time may lie ahead",
        over: "The time of receipt counts, the sent one is kept beside it",
      },
      past_milliseconds: {
        what: "How far its time may lie back",
        over: "The time of receipt counts, the sent one is kept beside it",
      },
    },
  },
  rate: {
    title: "Rates",
    about:
      "How much is taken in at a time, of this project and of you. A second's worth, or a batch, may come at once, of kilobytes ten seconds' worth.",
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
        what: "Kilobytes of events and log entries of this project, decompressed",
        over: often,
        variable: "SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND",
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
    title: "Room on the disk",
    about: "Below twice this, a project that took most of the room lately is refused first.",
    words: {
      floor_bytes: {
        what: "Free on the server's disk, at least",
        over: "Below it, nothing new is taken: refused with 503",
        variable: "SERVICE_DISK_FLOOR_MB",
      },
    },
  },
  release: {
    title: "Releases and source maps",
    about: "What CI may upload.",
    words: {
      source_map_bytes: { what: "A source map", over: large, variable: "SERVICE_SOURCEMAP_MAX_MB" },
      version_chars: { what: "A version", over: refused },
      url_prefix_chars: { what: "url_prefix", over: refused },
      url_chars: { what: "A source map's url", over: refused },
      page: { what: "Releases in one answer", over: refused },
      source_maps_page: { what: "Source maps in one answer", over: refused },
    },
  },
  project: {
    title: "Project and keys",
    about: "What is set here.",
    words: {
      name_chars: { what: "A name, of the project or a key", over: refused },
      platform_chars: { what: "Platform", over: refused },
      keys: { what: "Keys that are not revoked", over: "Refused with 409: revoke one first" },
      key_environment_chars: { what: "A key's environment", over: refused },
      scrubbed_names: { what: "Own names of secrets", over: refused },
      scrubbed_name_chars: { what: "Such a name", over: refused },
    },
  },
  issue: {
    title: "Issues",
    about: "What is counted, searched and changed at once.",
    words: {
      facet_values: {
        what: "Different values of a tag, environment or release that an issue counts",
        over: "Further ones are not counted; users and accounts always are",
      },
      facets: { what: "The same of all tags together", over: "Further ones are not counted" },
      changed_at_once: { what: "Issues changed at once", over: refused },
      query_chars: { what: "A query", over: refused },
      query_terms: { what: "Terms of a query", over: "Further ones are passed over" },
      tag_filters: { what: "tag.… filters of a list", over: refused },
      trend_hours: { what: "A trend", over: refused },
      page: { what: "Issues or events in one answer", over: refused },
    },
  },
  request: {
    title: "Requests",
    about: "Of this app and of scripts that read.",
    words: {
      json_bytes: { what: "A JSON body, uncompressed", over: large },
      offset: { what: "Rows that a list may skip", over: refused },
      query_milliseconds: { what: "How long a read may take", over: "Ended with 503: ask for less" },
      arrival_milliseconds: {
        what: "How long a body, or the next piece of an upload, may take to arrive",
        over: "The request is ended",
      },
    },
  },
  stream: {
    title: "Live updates",
    about: "Of pages that follow a project.",
    words: {
      each: { what: "Open streams of one person or key", over: "Refused with 429: close some pages" },
      all: { what: "Open streams of the whole instance", over: "Refused with 503" },
      ids: { what: "Issues that a message names", over: "The message says that there are more" },
      gap_milliseconds: { what: "Time between two messages", over: "What comes sooner is put together" },
    },
  },
};

/** A bound with its unit, which its name ends in. */
export function amount(name: string, value: number): string {
  if (name === "bytes" || name.endsWith("_bytes")) return bytes(value).replace(".0 ", " ");
  if (name.endsWith("_chars")) return `${exact(value)} characters`;
  if (name.endsWith("_milliseconds")) return duration(value);
  if (name.endsWith("_hours")) return `${exact(value)} hours`;
  if (name.endsWith("_per_second")) return `${exact(value)} a second`;
  if (name.endsWith("_per_hour")) return `${exact(value)} an hour`;
  return exact(value);
}

/** In the greatest unit that leaves a whole number. */
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

/** Names of a newer server, as words. */
const spelled = (name: string): string => name.replace(/_(bytes|chars|milliseconds)$/, "").replaceAll("_", " ");

/** All bounds that the server told, those that are known here in words and in order. */
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
