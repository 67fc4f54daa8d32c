import { ActionIcon } from "@mantine/core";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Entry } from "../../../api/schema.d.ts";
import { Line, Prose } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import table from "../../../ui/Table.module.css";
import own from "./Audit.module.css";
import { auditWords, detailRows } from "./words.ts";

/** One row per entry of the log, which opens to show its details. */
export function AuditTable({ entries }: { entries: Entry[] }) {
  return (
    <table className={table.table} aria-label="Audit log">
      <thead>
        <tr>
          <th scope="col" className={own.fold}>
            <span className="unseen">Details</span>
          </th>
          <th scope="col">Time</th>
          <th scope="col">Actor</th>
          <th scope="col">Action</th>
          <th scope="col">Target</th>
          <th scope="col">IP address</th>
        </tr>
      </thead>
      {entries.map((entry) => (
        <EntryRows key={entry.id} entry={entry} />
      ))}
    </table>
  );
}

function EntryRows({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const words = auditWords(entry);
  const Icon = open ? ChevronDown : ChevronRight;
  const id = `audit-${entry.id}`;
  return (
    <tbody>
      <tr>
        <td className={own.fold}>
          <ActionIcon
            size="sm"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`Details: ${words}`}
            onClick={() => setOpen(!open)}
          >
            <Icon size="0.875rem" aria-hidden />
          </ActionIcon>
        </td>
        <td className={own.when}>
          <Time at={entry.created_at} />
        </td>
        <td className={own.who}>
          <Line text={entry.actor || "unknown"} />
        </td>
        <td className={own.what}>{words}</td>
        <td className={own.target}>
          <Line text={entry.target} />
        </td>
        <td className={own.from}>
          {entry.address === null ? <span className="muted">the server</span> : <Line text={entry.address} mono />}
        </td>
      </tr>
      {open && (
        <tr id={id} className={own.details}>
          <td colSpan={6}>
            <dl>
              <dt>time</dt>
              <dd>
                <Time at={entry.created_at} exact />
              </dd>
              <dt>action</dt>
              <dd className="mono">{entry.action}</dd>
              {entry.target !== "" && (
                <>
                  <dt>target</dt>
                  <dd>
                    <Prose text={entry.target} />
                  </dd>
                </>
              )}
              {detailRows(entry.detail).map(([name, value]) => (
                <Detail key={name} name={name} value={value} />
              ))}
            </dl>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>
        <Line text={name} />
      </dt>
      <dd className="mono">
        <Prose text={value} />
      </dd>
    </>
  );
}
