import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { organizationQuery } from "../../api/queries.ts";
import type { Organization } from "../../api/schema.d.ts";
import { Empty } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { oneLine } from "../../ui/visible.ts";
import classes from "./New.module.css";

/** For members: who can create a project. */
export function AskAnAdmin({ organizations, action }: { organizations: Organization[]; action?: ReactNode }) {
  if (organizations.length === 0) {
    return (
      <Empty title="You do not belong to an organization" action={action}>
        <p>
          {action
            ? "Create one for your projects, or ask somebody to invite you to theirs."
            : "Ask the administrator of this server to invite you."}
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Only owners and admins create projects" action={action}>
      <p>As a member you can read issues and work on them. Ask one of these people to create a project for you:</p>
      {organizations.map(({ id, name }) => (
        <Admins key={id} organization={id} name={organizations.length > 1 ? name : undefined} />
      ))}
      {action && <p>Or create an organization of your own.</p>}
    </Empty>
  );
}

function Admins({ organization, name: of }: { organization: number; name: string | undefined }) {
  const members = useQuery(organizationQuery(organization)).data?.members ?? [];
  const admins = members.filter(({ role, status }) => role !== "member" && status === "active");
  return (
    <ul className={classes.people} aria-label={of && oneLine(of)}>
      {of && (
        <li className="muted" aria-hidden>
          <Line text={of} />
        </li>
      )}
      {admins.map(({ id, name, email }) => (
        <li key={id}>
          <Line text={name ? `${name}, ${email}` : email} />
        </li>
      ))}
    </ul>
  );
}
