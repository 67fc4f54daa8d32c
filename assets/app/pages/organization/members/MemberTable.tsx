import { useQuery } from "@tanstack/react-query";
import { Ban, BadgeCheck } from "lucide-react";
import { meQuery } from "../../../api/queries.ts";
import type { Member, Role } from "../../../api/schema.d.ts";
import { ActionsHead } from "../../../ui/RowAction.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "../../../ui/Table.module.css";
import type { Asked } from "./Changes.tsx";
import { MemberMenu } from "./MemberMenu.tsx";
import own from "./Members.module.css";
import { nameOf, roleWords } from "./people.ts";
import { RoleMenu } from "./RoleMenu.tsx";

interface Props {
  organization: number;
  /** The role of the reader. */
  role: Role;
  members: Member[];
  ask: (asked: Asked) => void;
}

/** The members of an organization, one per row, the owner first. */
export function MemberTable({ organization, role, members, ask }: Props) {
  const me = useQuery(meQuery).data;
  const admin = role !== "member";
  const actor = { id: me?.id ?? 0, role };
  return (
    <table className={classes.table} aria-label="Members">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col" className={classes.third}>
            Joined
          </th>
          {admin && <th scope="col">Last seen</th>}
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {ordered(members).map((member) => (
          <tr key={member.id} className={member.status === "disabled" ? own.disabled : undefined}>
            <td className={classes.main}>
              <span className={own.name}>
                <Line text={nameOf(member)} />
                <Marks member={member} me={member.id === me?.id} />
              </span>
              <span className={own.email}>{member.name.trim() !== "" && <Line text={member.email} />}</span>
            </td>
            <td data-label="Role">
              {admin ? (
                <RoleMenu organization={organization} actor={actor} member={member} />
              ) : (
                <span title={roleWords[member.role]}>{member.role}</span>
              )}
            </td>
            <td data-label="Joined" className={classes.third}>
              <Time at={member.joined_at} />
            </td>
            {admin && (
              <td data-label="Last seen">
                {member.last_seen_at ? <Time at={member.last_seen_at} /> : <span className="muted">never</span>}
              </td>
            )}
            <td className={classes.action}>
              <MemberMenu actor={actor} member={member} ask={ask} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Marks({ member, me }: { member: Member; me: boolean }) {
  return (
    <>
      {me && <span className={own.mark}>you</span>}
      {member.status === "disabled" && (
        <span className={own.mark} data-tone="bad">
          <Ban aria-hidden /> disabled
        </span>
      )}
      {member.listed && (
        <span
          className={own.mark}
          title="The server's ADMIN_EMAILS lists this address: once confirmed, it is at least an admin"
        >
          <BadgeCheck aria-hidden /> listed
        </span>
      )}
      {member.email_proven === false && (
        <span className={own.mark} title="They have not confirmed yet that this address is theirs">
          not confirmed
        </span>
      )}
    </>
  );
}

const order: Record<Role, number> = { owner: 0, admin: 1, member: 2 };

const ordered = (members: Member[]): Member[] =>
  members.toSorted((a, b) => order[a.role] - order[b.role] || nameOf(a).localeCompare(nameOf(b)));
