import type { PersonalToken } from "../../../api/schema.d.ts";
import { useNow } from "../../../ui/clock.ts";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "../../../ui/Table.module.css";
import { scopeWords, standingOf, widest } from "./words.ts";

interface Props {
  tokens: PersonalToken[];
  label: string;
  revoke?: (token: PersonalToken) => void;
}

/** Tokens, a row each. */
export function TokenTable({ tokens, label, revoke }: Props) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Permissions</th>
          <th scope="col" className={classes.third}>
            Created
          </th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td className={classes.main}>
              <Line text={token.name} />
              <span className="mono muted">{token.prefix}…</span>
            </td>
            <td data-label="Permissions">
              <span title={scopeWords[widest(token.scopes)].about}>{scopeWords[widest(token.scopes)].word}</span>
            </td>
            <td data-label="Created" className={classes.third}>
              <Time at={token.created_at} />
            </td>
            <td data-label="Expires">
              <Expiry of={token} />
            </td>
            <td data-label="Last used">
              {token.last_used_at === null ? <span className="muted">never</span> : <Time at={token.last_used_at} />}
            </td>
            <td className={classes.action}>
              {revoke && (
                <RowAction label={`Revoke ${token.name}`} danger onClick={() => revoke(token)}>
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

function Expiry({ of }: { of: PersonalToken }) {
  const now = useNow();
  const standing = standingOf(of, now);
  if (standing === "revoked" && of.revoked_at !== null)
    return (
      <>
        revoked <Time at={of.revoked_at} />
      </>
    );
  if (of.expires_at === null) return <span className="muted">never</span>;
  return (
    <>
      {standing === "expired" && "expired "}
      <Time at={of.expires_at} />
    </>
  );
}
