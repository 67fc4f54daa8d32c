import type { Activity, ActivityKind } from "../../../api/schema.d.ts";
import { counted, local } from "../../../ui/format.ts";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** The name of a person in an entry's data: an object, or a name alone. */
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

function ignored(data: Record<string, unknown>): string {
  const until = text(data.until);
  const events = number(data.events);
  const users = number(data.users);
  if (until !== undefined) return `ignored it until ${local(Date.parse(until))}`;
  if (events !== undefined) return `ignored it until ${counted(events, "more event", "more events")}`;
  if (users !== undefined) return `ignored it until ${counted(users, "more user", "more users")}`;
  return "ignored it for ever";
}

const kinds: Record<ActivityKind, (data: Record<string, unknown>) => string> = {
  first_seen: (data) => `first seen${inRelease(data.release)}`,
  resolved: (data) => `resolved it${inRelease(data.in_release)}`,
  unresolved: () => "reopened it",
  ignored,
  assigned: (data) => `assigned it to ${person(data.assignee)}`,
  unassigned: () => "assigned it to nobody",
  priority: (data) => `set the priority to ${text(data.priority) ?? "another"}`,
  regressed: (data) => `came back${inRelease(data.release)} after it was resolved`,
  escalating: (data) => {
    const [count, limit] = [number(data.count), number(data.limit)];
    return count === undefined || limit === undefined
      ? "happens much more often"
      : `happens much more often: ${counted(count, "event")} in an hour, usual are up to ${limit}`;
  },
  unignored: () => "came back: what it was ignored until was reached",
  comment: () => "commented",
};

/** What happened, as the rest of a sentence that begins with who did it. */
export function activityWords({ kind, data }: Activity): string {
  // A newer server may know more kinds than this page, which has been open since before.
  const words = kinds[kind] as (typeof kinds)[ActivityKind] | undefined;
  return words?.(data) ?? kind.replaceAll("_", " ");
}

/** What somebody wrote. */
export const commentText = ({ data }: Activity): string => text((data as Record<string, unknown>).text) ?? "";

/** Who did it: a person, Mayday, or the issue itself. */
export function actorName({ kind, user }: Activity): string {
  if (user) return user.name.trim() || user.email;
  return ["first_seen", "regressed", "escalating", "unignored"].includes(kind) ? "The issue" : "Somebody";
}
