import { useQuery } from "@tanstack/react-query";
import { organizationQuery } from "../../../api/queries.ts";
import type { OrganizationKeyRecord } from "../../../api/schema.d.ts";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "../../../ui/Table.module.css";
import { nameOf } from "../members/people.ts";

interface Props {
  organization: number;
  keys: OrganizationKeyRecord[];
  label: string;
  revoke?: (key: OrganizationKeyRecord) => void;
}

/** Keys of an organization, a row each. */
export function KeyTable({ organization, keys, label, revoke }: Props) {
  const members = useQuery(organizationQuery(organization)).data?.members;
  const maker = (id: number | null) => {
    const member = members?.find((each) => each.id === id);
    if (member) return nameOf(member);
    return members ? "a former member" : "";
  };
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Permissions</th>
          <th scope="col">Created</th>
          <th scope="col">{revoke ? "Last used" : "Revoked"}</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className={classes.main}>
              <Line text={key.name} />
              <span className="mono muted">{key.prefix}…</span>
            </td>
            <td data-label="Permissions">{key.scopes.includes("write") ? "Read, write" : "Read"}</td>
            <td data-label="Created">
              <Time at={key.created_at} />{" "}
              <span className="muted">
                {maker(key.created_by) && (
                  <>
                    by <bdi>{maker(key.created_by)}</bdi>
                  </>
                )}
              </span>
            </td>
            <td data-label={revoke ? "Last used" : "Revoked"}>
              <When at={key.revoked_at ?? key.last_used_at} />
            </td>
            <td className={classes.action}>
              {revoke && (
                <RowAction label={`Revoke ${key.name}`} danger onClick={() => revoke(key)}>
                  Revoke…
                </RowAction>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const When = ({ at }: { at: string | null }) => (at === null ? <span className="muted">never</span> : <Time at={at} />);
