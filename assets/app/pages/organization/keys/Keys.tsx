import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { organizationKeysQuery, revokeOrganizationKey } from "../../../api/organization-queries.ts";
import type { OrganizationKeyRecord } from "../../../api/schema.d.ts";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import { Time } from "../../../ui/Time.tsx";
import { oneLine } from "../../../ui/visible.ts";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
import { KeyTable } from "./KeyTable.tsx";
import { NewKey } from "./NewKey.tsx";

/** Keys that read every project of the organization. */
export function Keys({ organization }: { organization: number }) {
  const keys = useQuery(organizationKeysQuery(organization));
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<OrganizationKeyRecord>();
  return (
    <>
      <div className={classes.spread}>
        <h2>Keys</h2>
        <Button onClick={() => setMaking(true)}>New key…</Button>
      </div>
      <p className={classes.lead}>
        An organization key can read the issues, events and releases of every project; with permission to write, it also
        manages automations. Use it for dashboards and scripts that belong to no one in particular. To send events, use
        a project key.
      </p>
      <Answer query={keys} what="The keys" bones={<TableBones />}>
        {({ api_keys }) => {
          const live = api_keys.filter(({ revoked_at }) => revoked_at === null);
          const revoked = api_keys.filter(({ revoked_at }) => revoked_at !== null);
          return (
            <>
              {live.length > 0 ? (
                <KeyTable organization={organization} keys={live} label="Keys" revoke={setRevoking} />
              ) : (
                <Empty title="No active keys">
                  <p>Create one for a dashboard or a script that reads every project.</p>
                </Empty>
              )}
              {revoked.length > 0 && (
                <details className={keyClasses.revoked}>
                  <summary>{counted(revoked.length, "revoked key")}</summary>
                  <KeyTable organization={organization} keys={revoked} label="Revoked keys" />
                </details>
              )}
            </>
          );
        }}
      </Answer>
      <NewKey organization={organization} opened={making} close={() => setMaking(false)} />
      <Revoke organization={organization} of={revoking} close={() => setRevoking(undefined)} />
    </>
  );
}

function Revoke({
  organization,
  of,
  close,
}: {
  organization: number;
  of: OrganizationKeyRecord | undefined;
  close: () => void;
}) {
  const cache = useQueryClient();
  if (!of) return null;
  const run = async () => {
    await revokeOrganizationKey(organization, of.id);
    await cache.invalidateQueries({ queryKey: organizationKeysQuery(organization).queryKey });
    done(`Key ${oneLine(of.name)} revoked`);
  };
  return (
    <ConfirmTyped
      opened
      close={close}
      title="Revoke key?"
      word={of.name}
      action="Revoke key"
      doing="Revoking…"
      run={run}
    >
      <p>
        Requests with <code>{of.prefix}…</code> will be refused at once. This cannot be undone.{" "}
        {of.last_used_at ? (
          <>
            Last used <Time at={of.last_used_at} />.
          </>
        ) : (
          "It was never used."
        )}
      </p>
    </ConfirmTyped>
  );
}
