import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useFollowEvents } from "../../api/follow.ts";
import { keysQuery } from "../../api/project-queries.ts";
import { revokeKey } from "../../api/project-settings.ts";
import { useRights } from "../../api/role.ts";
import type { ListedKey } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { ConfirmTyped } from "../../ui/ConfirmTyped.tsx";
import { counted } from "../../ui/format.ts";
import { done } from "../../ui/notify.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { Answer, Loading } from "../../ui/States.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import keyClasses from "../../ui/settings/Keys.module.css";
import { sorted } from "./key-kinds.ts";
import { KeyTable } from "./KeyTable.tsx";
import { NewKey } from "./NewKey.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";

/** The keys of a project, with which others send to it, upload to it and read from it. */
export function Keys({ project }: { project: number }) {
  const { mayAdminister, role } = useRights(project);
  const [making, setMaking] = useState(false);
  return (
    <>
      <div className={classes.spread}>
        <h2>Keys</h2>
        {mayAdminister && <Button onClick={() => setMaking(true)}>New key…</Button>}
      </div>
      <p className={classes.lead}>
        A key says which project a request is for and what it may do. A key that can only send events can be copied here
        at any time. All others are shown once, as only their hash is stored. For a snippet to paste, see{" "}
        <Link to={paths.start(project)}>Set up</Link>.
      </p>
      <OnlyAdmins project={project} what="Viewing, creating and revoking keys" />
      {role === undefined ? <Loading rows={4} label="Loading the keys" /> : mayAdminister && <List project={project} />}
      <NewKey project={project} opened={making} close={() => setMaking(false)} />
    </>
  );
}

function List({ project }: { project: number }) {
  const keys = useQuery(keysQuery(project));
  const [revoking, setRevoking] = useState<ListedKey>();
  useFollowEvents(project, keysQuery(project).queryKey);
  return (
    <Answer query={keys} what="The keys" bones={<TableBones />}>
      {({ api_keys }) => {
        const { live, revoked } = sorted(api_keys);
        return (
          <>
            {live.length === 0 ? (
              <p className={classes.lead}>No active keys. Create one to send events to this project.</p>
            ) : (
              <KeyTable project={project} keys={live} label="Keys" revoke={setRevoking} />
            )}
            {revoked.length > 0 && (
              <details className={keyClasses.revoked}>
                <summary>{counted(revoked.length, "revoked key")}</summary>
                <KeyTable project={project} keys={revoked} label="Revoked keys" />
              </details>
            )}
            <Revoke project={project} of={revoking} close={() => setRevoking(undefined)} />
          </>
        );
      }}
    </Answer>
  );
}

function Revoke({ project, of, close }: { project: number; of: ListedKey | undefined; close: () => void }) {
  const cache = useQueryClient();
  if (!of) return null;
  const run = async () => {
    await revokeKey(project, of.id);
    await cache.invalidateQueries({ queryKey: keysQuery(project).queryKey });
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
        Requests with <code>{of.prefix}…</code> will be refused at once: events that are sent with it will be lost, and
        uploads will fail. This cannot be undone.{" "}
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
