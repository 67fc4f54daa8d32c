import type { Notification } from "../../api/schema.d.ts";
import { counted } from "../../ui/format.ts";

const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

/** The issue of a notification, if it is about one. */
export function issueOf({ category, source_type, notification_metadata }: Notification) {
  const { project_id: project, issue_id: issue } = notification_metadata as Record<string, unknown>;
  const isOne = category === "error" && source_type === "issue" && Number.isInteger(project) && Number.isInteger(issue);
  return isOne ? { project: project as number, issue: issue as number } : undefined;
}

/** The figures of a notification: what it stands for, and how often an issue had happened when it was written. */
export function factsOf({ category, source_type, notification_metadata }: Notification): string[] {
  if (category !== "error") return [];
  const { event_count, affected_users } = notification_metadata as Record<string, unknown>;
  // A combined notification stands for this many events.
  if (source_type === "project") return [counted(count(event_count), "event")];
  const facts = [counted(count(event_count), "event")];
  return count(affected_users) > 0 ? [...facts, counted(count(affected_users), "user")] : facts;
}

/** The link of an announcement, if it is a web address. */
export function linkOf({ notification_metadata }: Notification): string | undefined {
  const { url } = notification_metadata as Record<string, unknown>;
  return typeof url === "string" && /^https?:\/\/[^\s/]/.test(url) ? url : undefined;
}
