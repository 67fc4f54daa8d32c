import type { Member, Role } from "../../../api/schema.d.ts";

/** How a member is named. */
export const nameOf = ({ name, email }: Pick<Member, "name" | "email">): string => name.trim() || email;

export const roleWords: Record<Role, string> = {
  owner: "Full access; one per organization",
  admin: "Manages projects, keys, members and settings",
  member: "Reads everything and works on issues",
};

const ranks: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** Why somebody may not change a member; `undefined` when they may. */
export function whyNot(actor: { id: number; role: Role }, target: Pick<Member, "id" | "role">): string | undefined {
  if (actor.role === "member") return "Only owners and admins can change roles";
  if (target.role === "owner")
    return target.id === actor.id
      ? "You own the organization: transfer ownership under General first"
      : "Only the owner can change this, by transferring ownership";
  return ranks[actor.role] < ranks[target.role] ? "Their role is higher than yours" : undefined;
}
