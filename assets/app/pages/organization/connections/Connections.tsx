import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import {
  beginInstall,
  checkConnection,
  connectionsQuery,
  deleteConnection,
  refreshConnections,
} from "../../../api/connection-queries.ts";
import type { Connection, Role } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { Badge } from "../../../ui/Badge.tsx";
import { TableBones } from "../../../ui/Bones.tsx";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { done } from "../../../ui/notify.ts";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import { AdminsNote } from "../../../ui/settings/OnlyAdmins.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { oneLine } from "../../../ui/visible.ts";
import { Connect } from "./Connect.tsx";
import { EditConnection } from "./EditConnection.tsx";
import { installError, kindNames, statuses } from "./words.ts";

interface Props {
  organization: number;
  role: Role | undefined;
}

/** The organization's connections to code hosts, trackers and chats. */
export function Connections({ organization, role }: Props) {
  const may = role !== "member";
  const { error } = useSearch({ strict: false }) as { error?: string };
  const connections = useQuery(connectionsQuery(organization));
  const [making, setMaking] = useState(false);
  return (
    <>
      <div className={classes.spread}>
        <h2>Connections</h2>
        {may && <Button onClick={() => setMaking(true)}>Connect a service…</Button>}
      </div>
      <p className={classes.lead}>
        With a tracker or code host connected, people create tickets from issues, and see on the issue when they are
        closed. With a chat connected, they share issues there.
      </p>
      <AdminsNote organization={organization} role={role} what="Connecting services" />
      {error !== undefined && <Alarm error={new Error(installError(error))} />}
      <Answer query={connections} what="The connections" bones={<TableBones />}>
        {({ connections: list, has_host_app: hasApp }) => (
          <>
            {list.length === 0 ? (
              <Empty title="Nothing is connected">
                <p>
                  {may
                    ? "Connect GitLab, Gitea, Linear, Jira or Slack with a token of yours, or GitHub by installing this server’s app."
                    : "Owners and admins connect services here."}
                </p>
              </Empty>
            ) : (
              <List organization={organization} may={may} list={list} />
            )}
            {may && <Github organization={organization} hasApp={hasApp} />}
          </>
        )}
      </Answer>
      <Connect organization={organization} opened={making} close={() => setMaking(false)} />
    </>
  );
}

function Github({ organization, hasApp }: { organization: number; hasApp: boolean }) {
  const [busy, run] = useBusy();
  const install = () =>
    run("GitHub could not be connected", async () => {
      window.location.assign((await beginInstall(organization)).location);
    });
  return (
    <section className={classes.part} aria-label="GitHub">
      <h3>GitHub</h3>
      {hasApp ? (
        <>
          <p className={classes.lead}>
            GitHub asks which repositories this server’s app may read and write issues in, and sends you back here.
          </p>
          <Button variant="default" aria-busy={busy} onClick={() => void install()}>
            Connect GitHub
          </Button>
        </>
      ) : (
        <p className={classes.lead}>
          This server has no app at GitHub. Its operator registers one and sets <code>SERVICE_HOST_APP_ID</code> and{" "}
          <code>SERVICE_HOST_APP_PRIVATE_KEY_FILE</code>.
        </p>
      )}
    </section>
  );
}

function List({ organization, may, list }: { organization: number; may: boolean; list: Connection[] }) {
  const cache = useQueryClient();
  const [editing, setEditing] = useState<Connection>();
  const [removing, setRemoving] = useState<Connection>();
  return (
    <>
      <table className={table.table} aria-label="Connections">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Status</th>
            <th scope="col">Checked</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {list.map((connection) => (
            <Row
              key={connection.id}
              organization={organization}
              may={may}
              connection={connection}
              edit={() => setEditing(connection)}
              remove={() => setRemoving(connection)}
            />
          ))}
        </tbody>
      </table>
      {editing && (
        <EditConnection organization={organization} connection={editing} close={() => setEditing(undefined)} />
      )}
      {removing && (
        <ConfirmTyped
          opened
          close={() => setRemoving(undefined)}
          title="Disconnect service?"
          word={oneLine(removing.display_name)}
          action="Disconnect"
          run={async () => {
            await deleteConnection(organization, removing.id);
            await refreshConnections(cache, organization);
            done(`${oneLine(removing.display_name)} disconnected`);
          }}
        >
          <p>Tickets stay where they are and on their issues, but Mayday no longer shows what becomes of them.</p>
        </ConfirmTyped>
      )}
    </>
  );
}

interface RowProps {
  organization: number;
  may: boolean;
  connection: Connection;
  edit: () => void;
  remove: () => void;
}

function Row({ organization, may, connection, edit, remove }: RowProps) {
  const cache = useQueryClient();
  const [busy, run] = useBusy();
  const name = oneLine(connection.display_name);
  const check = () =>
    run("The connection was not checked", async () => {
      const { status } = await checkConnection(organization, connection.id);
      await refreshConnections(cache, organization);
      if (status === "connected") done(`${name} works`);
    });
  return (
    <tr>
      <td className={table.main}>
        <Line text={connection.display_name} />
        <span className="muted">
          {kindNames[connection.kind]}, <bdi>{connection.account}</bdi>
        </span>
        {connection.reason !== null && <span className="muted">{connection.reason}</span>}
      </td>
      <td data-label="Status">
        <Badge {...statuses[connection.status]} />
      </td>
      <td data-label="Checked">
        <Time at={connection.checked_at} />
      </td>
      <td className={table.action}>
        {may && (
          <>
            <RowAction label={`Check ${name} now`} busy={busy} onClick={() => void check()}>
              Check
            </RowAction>
            <RowAction label={`Edit ${name}`} onClick={edit}>
              Edit…
            </RowAction>
            <RowAction label={`Disconnect ${name}`} danger onClick={remove}>
              Disconnect…
            </RowAction>
          </>
        )}
      </td>
    </tr>
  );
}
