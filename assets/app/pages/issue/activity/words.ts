import type { Activity, ActivityKind } from "../../../api/schema.d.ts";
import { counted, local } from "../../../ui/format.ts";
import { sessionName } from "../../sessions/words.ts";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** The name of a person in an entry's data, which is an object or a name. */
function person(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const { name, email } = value as Record<string, unknown>;
    return text(name) ?? text(email) ?? "a member";
  }
  return text(value) ?? "a deleted account";
}

const inRelease = (release: unknown): string => {
  const version = text(release);
  return version === undefined ? "" : version === "next" ? " in the next release" : ` in ${version}`;
};

/** The ticket that an issue follows, after "The ticket". */
const ofTicket = (key: unknown): string => (text(key) === undefined ? "" : `${text(key)} `);

const inState = (state: unknown): string => (text(state) === undefined ? "" : `: ${text(state)}`);

function ignored(data: Record<string, unknown>): string {
  const until = text(data.until);
  const events = number(data.events);
  const users = number(data.users);
  if (until !== undefined) return `ignored it until ${local(Date.parse(until))}`;
  if (events !== undefined) return `ignored it until it happens ${counted(events, "more time")}`;
  if (users !== undefined) return `ignored it until it affects ${counted(users, "more user")}`;
  return "ignored it indefinitely";
}

const kinds: Record<ActivityKind, (data: Record<string, unknown>) => string> = {
  first_seen: (data) => `was first seen${inRelease(data.release)}`,
  resolved: (data) => `${ofTicket(data.ticket)}resolved it${inRelease(data.in_release)}`,
  unresolved: (data) => `${ofTicket(data.ticket)}reopened it`,
  ignored,
  assigned: (data) => `assigned it to ${person(data.assignee)}`,
  unassigned: () => "removed the assignee",
  priority: (data) => `set the priority to ${text(data.priority) ?? "another value"}`,
  regressed: (data) => `regressed${inRelease(data.release)}: it happened again after it was resolved`,
  escalating: (data) => {
    const [count, limit] = [number(data.count), number(data.limit)];
    return count === undefined || limit === undefined
      ? "escalated"
      : `escalated: ${counted(count, "event")} in an hour, where up to ${limit} are usual`;
  },
  unignored: () => "was reopened: the condition for ignoring it no longer holds",
  same_as: (data) => `is the same as ${text(data.short_id) ?? "another issue"}: source maps that came later show it`,
  high_value: (data) => `affects the high-value account ${text(data.account) ?? "of a deleted name"}`,
  run_started: () => "began to work on it",
  run_ended: (data) => {
    const how: Record<string, string> = {
      completed: "finished its work",
      failed: "failed",
      cancelled: "was stopped",
      timed_out: "was stopped: it took too long",
    };
    const opened = text(data.pull_request_url) === undefined ? "" : " and opened a pull request";
    return `${how[text(data.outcome) ?? ""] ?? "ended"}${opened}`;
  },
  run_merged: () => "had its pull request merged",
  ticket_created: (data) => `${data.attached === true ? "attached" : "made"} the ticket ${text(data.key) ?? ""}`.trim(),
  ticket_closed: (data) => `${text(data.key) ?? "of the issue"} was closed${inState(data.state)}`,
  ticket_reopened: (data) => `${text(data.key) ?? "of the issue"} was opened again${inState(data.state)}`,
  comment: (data) => (data.by_token === true ? "commented through a program" : "commented"),
};

/** An entry as the rest of a sentence that begins with the person. */
export function activityWords({ kind, data }: Activity): string {
  // If the server was updated while this page was open, it may know more kinds.
  const words = kinds[kind] as (typeof kinds)[ActivityKind] | undefined;
  return words?.(data) ?? kind.replaceAll("_", " ");
}

/** The text of a comment. */
export const commentText = ({ data }: Activity): string => text((data as Record<string, unknown>).text) ?? "";

/** The session of an agent that did it, where the entry names one. */
export function sessionOf({ kind, data }: Activity): { id: string; name: string } | undefined {
  if (!sessionKinds.includes(kind)) return undefined;
  const { session_id, session_number } = data as Record<string, unknown>;
  const [id, count] = [text(session_id), number(session_number)];
  return id === undefined || count === undefined ? undefined : { id, name: sessionName(count) };
}

const sessionKinds: readonly ActivityKind[] = ["run_started", "run_ended", "run_merged"];

/** Who did it: a person, Mayday, or the issue itself. */
export function actorName({ kind, user, data }: Activity): string {
  if (user) return user.name.trim() || user.email;
  if (text((data as Record<string, unknown>).ticket) !== undefined) return "The ticket";
  if (sessionKinds.includes(kind)) return "An agent";
  if (["ticket_closed", "ticket_reopened"].includes(kind)) return "The ticket";
  return ["first_seen", "regressed", "escalating", "unignored", "same_as", "high_value"].includes(kind)
    ? "The issue"
    : "Somebody";
}
