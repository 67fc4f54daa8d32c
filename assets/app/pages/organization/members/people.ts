import type { Member, Role } from "../../../api/schema.d.ts";

/** What somebody is called. */
export const nameOf = ({ name, email }: Pick<Member, "name" | "email">): string => name.trim() || email;

export const roleWords: Record<Role, string> = {
  owner: "Everything; there is one",
  admin: "Projects, keys, members, settings",
  member: "Reads, and works on issues",
};

const ranks: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** Why somebody may not change another member, or nothing when they may. */
export function whyNot(actor: { id: number; role: Role }, target: Pick<Member, "id" | "role">): string | undefined {
  if (actor.role === "member") return "Only owners and admins change roles";
  if (target.role === "owner")
    return target.id === actor.id
      ? "You own the organization: hand it over under General first"
      : "Only the owner can change this, by handing the organization over";
  return ranks[actor.role] < ranks[target.role] ? "Their role is above yours" : undefined;
}
