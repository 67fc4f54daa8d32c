// Names of the kinds of data on the disk.

import type { DataKind, KindUsage } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";

interface Words {
  label: string;
  about: string;
  /** The unit of the count. */
  one?: string;
  many?: string;
}

export const kindWords: Record<DataKind, Words> = {
  events: { label: "Events", about: "Payloads of events", one: "event" },
  logs: { label: "Log entries", about: "Log entries, compressed", one: "entry", many: "entries" },
  log_index: { label: "Log index", about: "The search index of the logs; it can be rebuilt" },
  source_maps: {
    label: "Source maps",
    about: "Uploaded source maps and style sheets. One that several releases share is stored once",
    one: "source map",
  },
  replays: { label: "Session replays", about: "Recordings of what people saw, compressed", one: "replay" },
  set_aside: { label: "Quarantine", about: "Events that could not be processed", one: "event" },
  database: { label: "Issues, indexes and the rest", about: "Everything else in both databases" },
  journal: { label: "Journal", about: "Accepted events that are not processed yet; its files are reused" },
  free: { label: "Free space in the files", about: "Pages of deleted data, and write-ahead logs. They are reused" },
  other: { label: "Other files", about: "Everything else in the data directory, such as what a restore replaced" },
};

/** `12,345 events`; nothing for kinds without a count. */
export function countWords({ kind, count }: KindUsage): string {
  const { one, many } = kindWords[kind];
  return one === undefined ? "" : counted(count, one, many);
}

export const bytesOf = (kinds: readonly KindUsage[], kind: DataKind): number =>
  kinds.find((part) => part.kind === kind)?.bytes ?? 0;

/** Kinds that belong to projects. */
export const projectKinds = [
  "events",
  "logs",
  "log_index",
  "source_maps",
  "replays",
] as const satisfies readonly DataKind[];
