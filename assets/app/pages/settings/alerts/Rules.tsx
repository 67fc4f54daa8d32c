import { Button, Modal } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { alertRulesQuery, changeAlertRule, deleteAlertRule, refreshAlerts } from "../../../api/alert-queries.ts";
import type { AlertChannel, AlertRule, View } from "../../../api/schema.d.ts";
import { useViewNames } from "../../../issue-search/views.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Confirm } from "../../../ui/Confirm.tsx";
import { Fold } from "../../../ui/Fold.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { OnSwitch } from "../../../ui/OnSwitch.tsx";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line, Prose } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { RuleEditor } from "./RuleEditor.tsx";
import { conditionWords, filterWords } from "./words.ts";

interface Props {
  project: number;
  may: boolean;
  channels: AlertChannel[];
}

/** When messages are sent. */
export function Rules({ project, may, channels }: Props) {
  const cache = useQueryClient();
  const rules = useQuery(alertRulesQuery(project));
  const views = useViewNames(project);
  /** `null`: a new one. */
  const [editing, setEditing] = useState<AlertRule | null>();
  const [deleting, setDeleting] = useState<AlertRule>();
  const turn = async (rule: AlertRule, enabled: boolean) => {
    await changeAlertRule(project, rule.id, { enabled });
    await refreshAlerts(cache, project);
  };
  return (
    <section className={classes.part} aria-label="Rules">
      <div className={classes.spread}>
        <h2 className={classes.heading}>Rules</h2>
        {may && <Button onClick={() => setEditing(null)}>New rule…</Button>}
      </div>
      <Answer query={rules} what="The rules" bones={<TableBones />}>
        {({ rules: list }) =>
          list.length === 0 ? (
            <p className={classes.lead}>No rules. Create one to be told of new issues, for example.</p>
          ) : (
            <table className={`${table.table} ${table.tall}`} aria-label="Rules">
              <thead>
                <tr>
                  <th scope="col">Rule</th>
                  <th scope="col">Last message</th>
                  <th scope="col">On</th>
                  <ActionsHead />
                </tr>
              </thead>
              <tbody>
                {list.map((rule) => (
                  <tr key={rule.id}>
                    <td className={table.main}>
                      <Line text={rule.name} />
                      <div className="muted">
                        <Fold of={oneLine(rule.name)}>
                          <Prose text={conditionWords(rule.condition)} />
                          <Limits rule={rule} views={views} />
                        </Fold>
                        <div>
                          <Prose text={told(rule, channels)} />
                        </div>
                      </div>
                      {rule.problem !== null && <span role="note">{rule.problem}</span>}
                    </td>
                    <td data-label="Last message">
                      {rule.last_fired_at === null ? (
                        <span className="muted">never</span>
                      ) : (
                        <Time at={rule.last_fired_at} />
                      )}
                    </td>
                    <td data-label="On">
                      <OnSwitch
                        kind="rule"
                        name={rule.name}
                        on={rule.enabled ?? true}
                        may={may}
                        turn={(enabled) => turn(rule, enabled)}
                      />
                    </td>
                    <td className={table.action}>
                      {may && (
                        <>
                          <RowAction label={`Edit ${rule.name}`} onClick={() => setEditing(rule)}>
                            Edit…
                          </RowAction>
                          <RowAction label={`Delete ${rule.name}`} danger onClick={() => setDeleting(rule)}>
                            Delete…
                          </RowAction>
                        </>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      <Modal
        opened={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={editing === null ? "New rule" : "Edit rule"}
        size="lg"
      >
        {editing !== undefined && (
          <RuleEditor
            project={project}
            channels={channels}
            rule={editing ?? undefined}
            close={() => setEditing(undefined)}
          />
        )}
      </Modal>
      {deleting && (
        <Confirm
          opened
          close={() => setDeleting(undefined)}
          title="Delete rule?"
          action="Delete rule"
          doing="Deleting…"
          run={async () => {
            await deleteAlertRule(project, deleting.id);
            await refreshAlerts(cache, project);
            done(`Rule ${oneLine(deleting.name)} deleted`);
          }}
        >
          <p>It sends no more messages. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}

/** What a rule is limited to, if it is. */
function Limits({ rule, views }: { rule: AlertRule; views: readonly View[] }) {
  const view = views.find(({ id }) => id === rule.filters?.view_id);
  const words = filterWords(rule, view?.name);
  return words.length === 0 ? null : (
    <span>
      {words.map((word, at) => (
        <Fragment key={at}>
          {at > 0 && " · "}
          <Prose text={oneLine(word)} />
        </Fragment>
      ))}
    </span>
  );
}

function told(rule: AlertRule, channels: AlertChannel[]): string {
  const names = channels.filter(({ id }) => rule.channels?.includes(id)).map(({ name }) => oneLine(name));
  const to = names.length === 0 ? "No channel, so nothing is sent" : `To ${names.join(", ")}`;
  return rule.suppressed > 0 ? `${to}; ${counted(rule.suppressed, "message")} withheld` : to;
}
