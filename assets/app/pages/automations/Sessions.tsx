import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { agentSessionsQuery } from "../../api/automation-queries.ts";
import type { AutomationWithTriggers } from "../../api/schema.d.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import settings from "../../ui/settings/Settings.module.css";
import { SessionTable } from "../sessions/SessionTable.tsx";

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
}

/** The sessions of an automation with their outcomes. */
export function Sessions({ organization, automation }: Props) {
  const sessions = useInfiniteQuery(agentSessionsQuery(organization, { automation: automation.id }));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = sessions;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className={settings.section} aria-label="Sessions">
      <Answer query={sessions} what="The sessions" bones={<TableBones columns={4} />}>
        {() =>
          rows.length === 0 ? (
            <Empty title="No sessions yet">
              <p>Each call that starts work makes one.</p>
            </Empty>
          ) : (
            <SessionTable organization={organization} sessions={rows} label="Sessions" />
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
