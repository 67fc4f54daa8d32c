import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeAlertChannel, deleteAlertChannel, refreshAlerts, testAlertChannel } from "../../../api/alert-queries.ts";
import type { AlertChannel } from "../../../api/schema.d.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { done } from "../../../ui/notify.ts";
import { OnSwitch } from "../../../ui/OnSwitch.tsx";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { oneLine } from "../../../ui/visible.ts";
import { EditChannel } from "./EditChannel.tsx";
import { NewChannel } from "./NewChannel.tsx";
import { kinds } from "./words.ts";

interface Props {
  project: number;
  may: boolean;
  channels: AlertChannel[];
}

/** Where messages go. */
export function Channels({ project, may, channels }: Props) {
  const cache = useQueryClient();
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<AlertChannel>();
  const [editing, setEditing] = useState<AlertChannel>();
  return (
    <section className={classes.part} aria-label="Channels">
      <div className={classes.spread}>
        <h2 className={classes.heading}>Channels</h2>
        {may && <Button onClick={() => setMaking(true)}>New channel…</Button>}
      </div>
      {channels.length === 0 ? (
        <p className={classes.lead}>No channels. Create one to have messages sent somewhere.</p>
      ) : (
        <table className={table.table} aria-label="Channels">
          <thead>
            <tr>
              <th scope="col">Channel</th>
              <th scope="col">On</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {channels.map((channel) => (
              <Row
                key={channel.id}
                project={project}
                may={may}
                channel={channel}
                edit={() => setEditing(channel)}
                remove={() => setDeleting(channel)}
              />
            ))}
          </tbody>
        </table>
      )}
      <NewChannel project={project} opened={making} close={() => setMaking(false)} />
      {editing && <EditChannel project={project} channel={editing} close={() => setEditing(undefined)} />}
      {deleting && (
        <Confirm
          opened
          close={() => setDeleting(undefined)}
          title="Delete channel?"
          action="Delete channel"
          doing="Deleting…"
          run={async () => {
            await deleteAlertChannel(project, deleting.id);
            await refreshAlerts(cache, project);
            done(`Channel ${oneLine(deleting.name)} deleted`);
          }}
        >
          <p>Nothing more will be sent to it, not even what waits to be sent. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}

function Row({
  project,
  may,
  channel,
  edit,
  remove,
}: Omit<Props, "channels"> & { channel: AlertChannel; edit: () => void; remove: () => void }) {
  const cache = useQueryClient();
  const [busy, run] = useBusy();
  const turn = async (enabled: boolean) => {
    await changeAlertChannel(project, channel.id, { enabled });
    await refreshAlerts(cache, project);
  };
  const test = () =>
    run("The test was not sent", async () => {
      const { delivered, reason } = await testAlertChannel(project, channel.id);
      if (!delivered) throw new Error(reason ?? "The receiver did not take it");
      done("Test delivered");
    });
  return (
    <tr>
      <td className={table.main}>
        <Line text={channel.name} />
        <span className="muted">
          {kinds[channel.kind].label}, {channel.host}
        </span>
        {channel.off_reason !== null && <span className="muted">Off, because {channel.off_reason}</span>}
      </td>
      <td data-label="On">
        <OnSwitch kind="channel" name={channel.name} on={channel.enabled} may={may} turn={turn} />
      </td>
      <td className={table.action}>
        {may && (
          <>
            <RowAction label={`Test ${channel.name}`} busy={busy} onClick={() => void test()}>
              Test
            </RowAction>
            <RowAction label={`Edit ${channel.name}`} onClick={edit}>
              Edit…
            </RowAction>
            <RowAction label={`Delete ${channel.name}`} danger onClick={remove}>
              Delete…
            </RowAction>
          </>
        )}
      </td>
    </tr>
  );
}
