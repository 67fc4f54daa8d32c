import { useQuery } from "@tanstack/react-query";
import { organizationQuery } from "../../api/queries.ts";
import type { Organization } from "../../api/schema.d.ts";
import { Empty } from "../../ui/states.tsx";
import { Line } from "../../ui/Text.tsx";
import classes from "./New.module.css";

/** For members: who can make a project. */
export function AskAnAdmin({ organizations }: { organizations: Organization[] }) {
  return (
    <Empty title="An owner or an admin makes projects">
      {organizations.length === 0 ? (
        <p>You are in no organization. Ask whoever runs this instance to invite you.</p>
      ) : (
        <>
          <p>You are a member, so you read and work on issues. These people can make a project for you:</p>
          {organizations.map(({ id }) => (
            <Admins key={id} organization={id} />
          ))}
        </>
      )}
    </Empty>
  );
}

function Admins({ organization }: { organization: number }) {
  const members = useQuery(organizationQuery(organization)).data?.members ?? [];
  const admins = members.filter(({ role, status }) => role !== "member" && status === "active");
  return (
    <ul className={classes.people}>
      {admins.map(({ id, name, email }) => (
        <li key={id}>
          <Line text={name ? `${name}, ${email}` : email} />
        </li>
      ))}
    </ul>
  );
}
