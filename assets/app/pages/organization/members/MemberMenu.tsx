import { ActionIcon, Menu } from "@mantine/core";
import { Ban, CircleCheck, DoorOpen, Ellipsis, KeyRound, UserMinus } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useMany } from "../../../api/instance.ts";
import { methodsQuery } from "../../../api/people.ts";
import type { Member, Role } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";
import type { Asked } from "./Changes.tsx";
import { nameOf, whyNot } from "./people.ts";

const icon = { size: "0.875rem", "aria-hidden": true } as const;

/** The actions that the reader may take on a member. */
export function MemberMenu({
  actor,
  member,
  ask,
}: {
  actor: { id: number; role: Role };
  member: Member;
  ask: (asked: Asked) => void;
}) {
  const passwords = useQuery(methodsQuery).data?.password_login !== false;
  // With several organizations, none of them may change a person's account.
  const accounts = !useMany();
  const self = member.id === actor.id;
  const may = !self && whyNot(actor, member) === undefined;
  if (self ? member.role === "owner" : !may) return null;
  return (
    <Menu position="bottom-end" width="15rem">
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${oneLine(nameOf(member))}`}>
          <Ellipsis size="1rem" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may && accounts && passwords && (
          <Menu.Item leftSection={<KeyRound {...icon} />} onClick={() => ask({ what: "link", member })}>
            Create password link…
          </Menu.Item>
        )}
        {may && accounts && (
          <Menu.Item
            leftSection={member.status === "active" ? <Ban {...icon} /> : <CircleCheck {...icon} />}
            onClick={() => ask({ what: member.status === "active" ? "disable" : "enable", member })}
          >
            {member.status === "active" ? "Disable…" : "Enable…"}
          </Menu.Item>
        )}
        <Menu.Item
          color="var(--bad)"
          leftSection={self ? <DoorOpen {...icon} /> : <UserMinus {...icon} />}
          onClick={() => ask({ what: self ? "leave" : "remove", member })}
        >
          {self ? "Leave organization…" : "Remove…"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
