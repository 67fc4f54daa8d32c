import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { changeMember } from "../../../api/organization-queries.ts";
import { organizationQuery } from "../../../api/queries.ts";
import type { Member, Role } from "../../../api/schema.d.ts";
import { done, problem } from "../../../ui/notify.ts";
import { oneLine } from "../../../ui/visible.ts";
import own from "./Members.module.css";
import { nameOf, roleWords, whyNot } from "./people.ts";

const choices = ["admin", "member"] as const;

/** A member's role, with a menu where the reader may change it. */
export function RoleMenu({
  organization,
  actor,
  member,
}: {
  organization: number;
  actor: { id: number; role: Role };
  member: Member;
}) {
  const cache = useQueryClient();
  const why =
    whyNot(actor, member) ??
    (member.listed && member.role === "admin"
      ? "The server's ADMIN_EMAILS lists this address: remove it there first"
      : undefined);
  const change = useMutation({
    mutationFn: (role: "admin" | "member") => changeMember(organization, member.id, { role }),
    onSuccess: (_, role) => done(`${oneLine(nameOf(member))} is now ${role === "admin" ? "an admin" : "a member"}`),
    onError: (error) => problem("The role could not be changed", error),
    onSettled: () => cache.invalidateQueries({ queryKey: organizationQuery(organization).queryKey, exact: true }),
  });
  if (why !== undefined) return <span title={why}>{member.role}</span>;
  return (
    <Menu position="bottom-start" width="16rem">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="transparent"
          color="gray"
          px={0}
          fw={400}
          c="var(--text)"
          loading={change.isPending}
          rightSection={<ChevronDown size="0.875rem" aria-hidden />}
          aria-label={`Role of ${oneLine(nameOf(member))}: ${member.role}`}
        >
          {member.role}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={member.role}
          onChange={(role) => role !== member.role && change.mutate(role as "admin" | "member")}
        >
          {choices.map((role) => (
            <Menu.RadioItem key={role} value={role}>
              <span className={own.item}>
                <span>{role}</span>
                <span>{roleWords[role]}</span>
              </span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
