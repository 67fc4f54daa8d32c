import { isStatus, messageOf } from "../../api/error.ts";
import type { Member } from "../../api/schema.d.ts";
import { oneLine } from "../visible.ts";

/** The most people that are named. */
const named = 3;

/** Who may change settings: owners before admins. */
export function helpers(members: Pick<Member, "name" | "email" | "role">[]): string {
  const able = [...members.filter(({ role }) => role === "owner"), ...members.filter(({ role }) => role === "admin")];
  if (able.length === 0) return "one of them";
  const names = able.slice(0, named).map(({ name, email }) => oneLine(name) || email);
  if (able.length > named) names.push("others");
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The error message; for a refusal, also who can help. */
export function refusal(error: unknown, members: Parameters<typeof helpers>[0] = []): string {
  return isStatus(error, 403)
    ? `${messageOf(error)}. Only owners and admins can do this: ask ${helpers(members)}.`
    : messageOf(error);
}
