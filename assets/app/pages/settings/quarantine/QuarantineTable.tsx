import { ActionIcon } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { SetAsideDetail, SetAsideEvent } from "../../../api/schema.d.ts";
import { deleteSetAside, refreshSetAside, retrySetAside, setAsideDetailQuery } from "../../../api/set-aside-queries.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { bytes, exact } from "../../../ui/format.ts";
import { JsonTree } from "../../../ui/JsonTree.tsx";
import { done, problem } from "../../../ui/notify.ts";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import { Answer } from "../../../ui/States.tsx";
import { Line, Prose } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import table from "../../../ui/Table.module.css";
import { oneLine } from "../../../ui/visible.ts";
import own from "./Quarantine.module.css";
import { retriedWords } from "./words.ts";

/** One row per event, which opens to show its details. */
export function QuarantineTable({ project, events }: { project: number; events: SetAsideEvent[] }) {
  const [deleting, setDeleting] = useState<SetAsideEvent>();
  return (
    <>
      <table className={table.table} aria-label="Events in quarantine">
        <thead>
          <tr>
            <th scope="col" className={own.fold}>
              <span className="unseen">Details</span>
            </th>
            <th scope="col">Event</th>
            <th scope="col">Reason</th>
            <th scope="col">Received</th>
            <ActionsHead />
          </tr>
        </thead>
        {events.map((event) => (
          <Row key={event.id} project={project} event={event} remove={() => setDeleting(event)} />
        ))}
      </table>
      <Delete project={project} of={deleting} close={() => setDeleting(undefined)} />
    </>
  );
}

function Row({ project, event, remove }: { project: number; event: SetAsideEvent; remove: () => void }) {
  const [open, setOpen] = useState(false);
  const name = oneLine(event.event_id);
  const retry = useRetry(project, event.id);
  const Icon = open ? ChevronDown : ChevronRight;
  const id = `set-aside-${event.id}`;
  return (
    <tbody>
      <tr>
        <td className={own.fold}>
          <ActionIcon
            size="sm"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`Details of ${name}`}
            onClick={() => setOpen(!open)}
          >
            <Icon size="0.875rem" aria-hidden />
          </ActionIcon>
        </td>
        <td className={own.name}>
          <Line text={event.event_id} mono />
        </td>
        <td className={own.why}>
          <Line text={event.reason} />
        </td>
        <td className={own.when}>
          <Time at={event.received_at} />
        </td>
        <td className={`${table.action} ${own.action}`}>
          <BusyButton
            size="compact-xs"
            variant="subtle"
            busy={retry.isPending}
            label="Retry"
            doing="Retrying…"
            aria-label={`Retry ${name}`}
            onClick={() => retry.isPending || retry.mutate()}
          />
          <RowAction label={`Delete ${name}`} danger onClick={remove}>
            Delete…
          </RowAction>
        </td>
      </tr>
      {open && (
        <tr id={id} className={own.details}>
          <td colSpan={5}>
            <Details project={project} event={event} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function useRetry(project: number, id: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => retrySetAside(project, id),
    onSuccess: (now) =>
      now.outcome === "set_aside"
        ? problem("The event failed again", new Error(retriedWords(now)))
        : done(retriedWords(now)),
    onError: (error) => problem("The event could not be retried", error),
    onSettled: () => refreshSetAside(cache, project),
  });
}

function Details({ project, event }: { project: number; event: SetAsideEvent }) {
  const detail = useQuery(setAsideDetailQuery(project, event.id));
  return (
    <div className={own.inside}>
      <dl>
        <dt>Reason</dt>
        <dd>
          <Prose text={event.reason} />
        </dd>
        <dt>Received</dt>
        <dd>
          <Time at={event.received_at} exact />
        </dd>
        <dt>Size</dt>
        <dd className="number" title={`${exact(event.size)} bytes`}>
          {bytes(event.size)}
        </dd>
      </dl>
      <Answer query={detail} what="The event" rows={3}>
        {(found) => <Payload of={found} />}
      </Answer>
    </div>
  );
}

function Payload({ of: { payload, unreadable, stored } }: { of: SetAsideDetail }) {
  const text = payload === null ? (stored ?? "") : () => JSON.stringify(payload, undefined, 2);
  return (
    <>
      <div className={own.head}>
        <h3>{payload === null ? "The stored event cannot be read" : "The event as it was accepted"}</h3>
        <CopyButton text={text} label={payload === null ? "Copy stored bytes as Base64" : "Copy as JSON"} />
      </div>
      {payload === null ? (
        <p>
          <Prose text={unreadable ?? ""} />
        </p>
      ) : (
        <JsonTree value={payload} />
      )}
    </>
  );
}

function Delete({ project, of, close }: { project: number; of: SetAsideEvent | undefined; close: () => void }) {
  const cache = useQueryClient();
  const run = async () => {
    if (!of) return;
    await deleteSetAside(project, of.id);
    await refreshSetAside(cache, project);
    done(`Event ${oneLine(of.event_id)} deleted`);
  };
  return (
    <Confirm
      opened={of !== undefined}
      close={close}
      title="Delete event?"
      action="Delete event"
      doing="Deleting…"
      run={run}
    >
      <p>
        <bdi className="mono">{of && oneLine(of.event_id)}</bdi> will be deleted for good and cannot be retried later.
        This cannot be undone.
      </p>
    </Confirm>
  );
}
