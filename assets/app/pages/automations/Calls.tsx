import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { automationEventsQuery } from "../../api/automation-queries.ts";
import type { AutomationEvent, AutomationWithTriggers } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import settings from "../../ui/settings/Settings.module.css";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { kindWords, outcomeWords } from "./words.ts";

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
}

/** The events of an automation with their outcomes. */
export function Calls({ organization, automation }: Props) {
  const calls = useInfiniteQuery(automationEventsQuery(organization, automation.id));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = calls;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className={settings.section} aria-label="Calls">
      <p className={settings.lead}>
        Everything that called this automation in the last 90 days, and why it was skipped.
      </p>
      <Answer query={calls} what="The calls" bones={<TableBones />}>
        {() =>
          rows.length === 0 ? (
            <Empty title="Nothing has called it yet">
              <p>Add a trigger, or run it by hand.</p>
            </Empty>
          ) : (
            <table className={table.table} aria-label="Calls">
              <thead>
                <tr>
                  <th scope="col">Call</th>
                  <th scope="col">Outcome</th>
                  <th scope="col">About</th>
                  <th scope="col">When</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((call) => (
                  <Row key={call.id} organization={organization} call={call} automation={automation} />
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      {hasNextPage && (
        <div>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

function Row({ organization, call, automation }: Props & { call: AutomationEvent }) {
  const trigger = automation.triggers.find(({ id }) => id === call.trigger_id);
  const { session_id, project_id, issue_id, issue_short_id } = call;
  return (
    <tr>
      <td className={table.main}>
        <span>{kindWords(call.kind)}</span>
        <span className="muted cut">{trigger && <Line text={trigger.name} />}</span>
      </td>
      <td data-label="Outcome">
        {session_id === null ? (
          <span className="muted">{outcomeWords(call)}</span>
        ) : (
          <Link to={paths.agentSession(organization, session_id)}>{outcomeWords(call)}</Link>
        )}
      </td>
      <td data-label="About">
        {project_id !== null && issue_id !== null ? (
          <Link to={paths.issue(project_id, issue_id)}>{issue_short_id}</Link>
        ) : (
          <span className="muted">no issue</span>
        )}
      </td>
      <td data-label="When">
        <Time at={call.created_at} />
      </td>
    </tr>
  );
}
