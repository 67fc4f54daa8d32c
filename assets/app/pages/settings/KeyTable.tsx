import { useQuery } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";
import { organizationQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { ListedKey } from "../../api/schema.d.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { RowAction } from "../../ui/RowAction.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import classes from "../../ui/settings/Keys.module.css";
import { scopes } from "./key-kinds.ts";

interface Props {
  project: number;
  keys: ListedKey[];
  label: string;
  revoke?: (key: ListedKey) => void;
}

/** Keys, a row each. */
export function KeyTable({ project, keys, label, revoke }: Props) {
  const creator = useCreator(project);
  return (
    <div role="table" aria-label={label}>
      <div role="rowgroup">
        <div role="row" className={classes.head}>
          <span role="columnheader">Name</span>
          <span role="columnheader">Permissions</span>
          <span role="columnheader" className={classes.environment}>
            Environment
          </span>
          <span role="columnheader" className={classes.created}>
            Created
          </span>
          <span role="columnheader">{revoke ? "Last used" : "Revoked"}</span>
          <span role="columnheader">
            <span className="unseen">Actions</span>
          </span>
        </div>
      </div>
      <div role="rowgroup">
        {keys.map((key) => (
          <div role="row" key={key.id} className={classes.row}>
            <span role="cell" className={classes.name}>
              <Line text={key.name} />
              <span className={classes.text}>
                <span className="mono muted">{key.prefix}…</span>
                {key.key !== null && <CopyButton text={key.key} label={`Copy key ${key.name}`} />}
              </span>
            </span>
            <span role="cell" className={classes.scopes}>
              {key.scopes.map((scope, at) => (
                <span key={scope} title={scopes[scope].about}>
                  {at === 0 ? scopes[scope].word : scopes[scope].word.toLowerCase()}
                </span>
              ))}
            </span>
            <span role="cell" className={classes.environment}>
              {key.environment === null ? <span className="muted">any</span> : <Line text={key.environment} mono />}
            </span>
            <span role="cell" className={classes.created}>
              <Time at={key.created_at} />
              <span className="muted cut">{creator(key.created_by)}</span>
            </span>
            <span role="cell" className={classes.used}>
              <Used of={key} />
            </span>
            <span role="cell" className={classes.action}>
              {revoke && (
                <RowAction label={`Revoke ${key.name}`} danger onClick={() => revoke(key)}>
                  Revoke…
                </RowAction>
              )}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Used({ of }: { of: ListedKey }) {
  if (of.revoked_at !== null) {
    return (
      <span className={classes.gone}>
        <CircleSlash aria-hidden /> <Time at={of.revoked_at} />
      </span>
    );
  }
  return of.last_used_at === null ? (
    <span className="muted">never</span>
  ) : (
    <>
      <span className={classes.unit}>last used </span>
      <Time at={of.last_used_at} />
    </>
  );
}

/** Names of the people who created keys. */
function useCreator(project: number): (id: number | null) => string {
  const { organization } = useRights(project);
  const details = useQuery({ ...organizationQuery(organization?.id ?? 0), enabled: organization !== undefined });
  return (id) => {
    const member = details.data?.members.find((each) => each.id === id);
    if (member) return `by ${member.name || member.email}`;
    return details.data ? "by a former member" : "";
  };
}
