import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeTrigger, deleteTrigger, refreshAutomate } from "../../api/automation-queries.ts";
import type { AutomationWithTriggers, Trigger } from "../../api/schema.d.ts";
import { useViewNames } from "../../issue-search/views.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { done } from "../../ui/notify.ts";
import { OnSwitch } from "../../ui/OnSwitch.tsx";
import { ActionsHead, RowAction } from "../../ui/RowAction.tsx";
import { Empty } from "../../ui/States.tsx";
import settings from "../../ui/settings/Settings.module.css";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { TriggerDialog } from "./TriggerDialog.tsx";
import { isOwn } from "./trigger-form.ts";
import { providerName, triggerWords, viewOf } from "./words.ts";

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
  may: boolean;
}

/** The triggers of an automation. */
export function Triggers({ organization, automation, may }: Props) {
  /** `null`: a new one. */
  const [editing, setEditing] = useState<Trigger | null>();
  const [deleting, setDeleting] = useState<Trigger>();
  const add = may && <Button onClick={() => setEditing(null)}>New trigger…</Button>;
  const given = { organization, automation: automation.id };
  return (
    <section className={settings.section} aria-label="Triggers">
      {automation.triggers.length === 0 ? (
        <Empty title="No triggers" action={add}>
          <p>Without one, it works only when somebody runs it.</p>
        </Empty>
      ) : (
        <>
          <div className={settings.spread}>
            <p>Each of these calls the automation while both are on.</p>
            {add}
          </div>
          <table className={table.table} aria-label="Triggers">
            <thead>
              <tr>
                <th scope="col">Trigger</th>
                <th scope="col">Comes from</th>
                <th scope="col">Next</th>
                <th scope="col">On</th>
                <ActionsHead />
              </tr>
            </thead>
            <tbody>
              {automation.triggers.map((trigger) => (
                <Row
                  key={trigger.id}
                  {...given}
                  trigger={trigger}
                  may={may}
                  edit={() => setEditing(trigger)}
                  remove={() => setDeleting(trigger)}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
      <TriggerDialog {...given} trigger={editing} close={() => setEditing(undefined)} />
      {deleting && <Remove {...given} trigger={deleting} close={() => setDeleting(undefined)} />}
    </section>
  );
}

interface RowProps {
  organization: number;
  /** Its id. */
  automation: string;
  trigger: Trigger;
  may: boolean;
  edit: () => void;
  remove: () => void;
}

function Row({ organization, automation, trigger, may, edit, remove }: RowProps) {
  const cache = useQueryClient();
  const limit = viewOf(trigger);
  const view = useViewNames(limit?.project).find(({ id }) => id === limit?.view);
  const turn = async (enabled: boolean) => {
    await changeTrigger(organization, automation, trigger.id, { enabled });
    await refreshAutomate(cache, organization);
  };
  return (
    <tr>
      <td className={table.main}>
        <Line text={trigger.name} />
        <span className="muted">{triggerWords(trigger, view && oneLine(view.name))}</span>
        {trigger.webhookUrl !== null && (
          <span className="muted cut">
            <Line text={trigger.webhookUrl} mono />
          </span>
        )}
      </td>
      <td data-label="Comes from">{providerName(trigger.provider)}</td>
      <td data-label="Next">
        <Next of={trigger} />
      </td>
      <td data-label="On">
        <OnSwitch kind="trigger" name={trigger.name} on={trigger.enabled} may={may} turn={turn} />
      </td>
      <td className={table.action}>
        {may && isOwn(trigger.provider) && (
          <RowAction label={`Edit ${trigger.name}`} onClick={edit}>
            Edit…
          </RowAction>
        )}
        {may && (
          <RowAction label={`Delete ${trigger.name}`} danger onClick={remove}>
            Delete…
          </RowAction>
        )}
      </td>
    </tr>
  );
}

/** The next time of a schedule; other triggers have none. */
function Next({ of: { provider, next_run_at } }: { of: Trigger }) {
  if (next_run_at !== null) return <Time at={next_run_at} />;
  return <span className="muted">{provider === "schedule" ? "not while it is off" : "when it happens"}</span>;
}

interface RemoveProps {
  organization: number;
  automation: string;
  trigger: Trigger;
  close: () => void;
}

function Remove({ organization, automation, trigger, close }: RemoveProps) {
  const cache = useQueryClient();
  return (
    <Confirm
      opened
      close={close}
      title="Delete trigger?"
      action="Delete trigger"
      doing="Deleting…"
      run={async () => {
        await deleteTrigger(organization, automation, trigger.id);
        await refreshAutomate(cache, organization);
        done(`Trigger ${oneLine(trigger.name)} deleted`);
      }}
    >
      <p>
        {trigger.webhookUrl === null
          ? "It no longer calls the automation."
          : "Calls of its address will be refused at once, and a new trigger gets another address and secret."}{" "}
        This cannot be undone.
      </p>
    </Confirm>
  );
}
