import { Button, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { agentSessionsQuery, automationsQuery } from "../../api/automation-queries.ts";
import { useOrganization } from "../../api/role.ts";
import type { SessionStatus } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NoRunner } from "../runners/NoRunner.tsx";
import type { SessionsSearch } from "./route.ts";
import classes from "./Sessions.module.css";
import { SessionTable } from "./SessionTable.tsx";
import { statuses } from "./words.ts";

const from = "/inside/organizations/$organizationId/sessions";

/** The list of agent sessions, newest first. */
export default function SessionsPage() {
  const { organizationId } = useParams({ from });
  const search = useSearch({ from });
  const { found } = useOrganization(organizationId);
  const sessions = useInfiniteQuery(agentSessionsQuery(organizationId, search));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = sessions;
  if (!found) return <Forbidden what="this organization" />;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const total = data?.pages.at(-1)?.total;
  const isFiltered = search.status !== undefined || search.automation !== undefined;
  return (
    <Page section="agent-sessions" wide>
      {(rows.length > 0 || isFiltered) && (
        <>
          <NoRunner organization={organizationId} />
          <Filters organization={organizationId} search={search}>
            {total === undefined ? "" : counted(total, "session")}
          </Filters>
        </>
      )}
      <Answer query={sessions} what="The sessions" bones={<TableBones columns={4} />}>
        {() => {
          if (rows.length > 0) return <SessionTable organization={organizationId} sessions={rows} label="Sessions" />;
          return isFiltered ? <NoneFound organization={organizationId} /> : <None organization={organizationId} />;
        }}
      </Answer>
      {hasNextPage && (
        <div className={classes.foot}>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}

interface FiltersProps {
  organization: number;
  search: SessionsSearch;
  children: string;
}

/** The filters of the list. */
function Filters({ organization, search, children }: FiltersProps) {
  const navigate = useNavigate();
  const automations = useQuery(automationsQuery(organization)).data ?? [];
  const set = (change: SessionsSearch) =>
    void navigate({ to: paths.agentSessions(organization), search: { ...search, ...change }, replace: true });
  return (
    <search className={classes.bar} aria-label="Filters">
      <Select
        className={classes.filter ?? ""}
        size="sm"
        aria-label="State"
        placeholder="All states"
        data={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
        value={search.status ?? null}
        onChange={(status) => set({ status: (status ?? undefined) as SessionStatus | undefined })}
        clearable
        clearButtonProps={{ "aria-label": "Clear the state" }}
      />
      <Select
        className={classes.filter ?? ""}
        size="sm"
        aria-label="Automation"
        placeholder="All automations"
        data={automations.map(({ id, name }) => ({ value: id, label: oneLine(name) }))}
        value={search.automation ?? null}
        onChange={(automation) => set({ automation: automation ?? undefined })}
        clearable
        clearButtonProps={{ "aria-label": "Clear the automation" }}
      />
      <span className={classes.count} role="status">
        {children}
      </span>
    </search>
  );
}

function None({ organization }: { organization: number }) {
  return (
    <Empty title="No sessions yet">
      <p>
        A session is one piece of work of an agent. An <Link to={paths.automations(organization)}>automation</Link>{" "}
        starts it, or you do, on the page of an issue.
      </p>
    </Empty>
  );
}

function NoneFound({ organization }: { organization: number }) {
  return (
    <Empty title="No matching sessions" action={<Link to={paths.agentSessions(organization)}>Clear filters</Link>}>
      <p>No session matches these filters.</p>
    </Empty>
  );
}
