import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { automationsQuery, changeAutomation, refreshAutomate, summaryQuery } from "../../api/automation-queries.ts";
import { useOrganization } from "../../api/role.ts";
import type { AutomationSummary, ListedAutomation } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { counted, exact } from "../../ui/format.ts";
import { OnSwitch } from "../../ui/OnSwitch.tsx";
import note from "../../ui/Note.module.css";
import { Answer, Empty } from "../../ui/States.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { NoRunner } from "../runners/NoRunner.tsx";
import { NewAutomation } from "./NewAutomation.tsx";
import type { TemplateId } from "./templates.ts";
import { calledBy, dollars } from "./words.ts";

/** The days over which the list sums up. */
const days = 30;

/** The list of automations. */
export default function AutomationsPage() {
  const { organizationId } = useParams({ from: "/inside/organizations/$organizationId/automations" });
  const { found, role, mayAdminister } = useOrganization(organizationId);
  const automations = useQuery(automationsQuery(organizationId));
  const [making, setMaking] = useState<TemplateId>();
  if (!found) return <Forbidden what="this organization" />;
  const some = (automations.data?.length ?? 0) > 0;
  const actions = some && (
    <>
      <Button component={Link} to={paths.automationsSummary(organizationId)} variant="default">
        What they did
      </Button>
      {mayAdminister && <Button onClick={() => setMaking("errors")}>New automation…</Button>}
    </>
  );
  return (
    <Page section="automations" actions={actions}>
      <div className={note.apart}>
        <AdminsNote organization={organizationId} role={role} what="Creating and changing automations" />
      </div>
      {some && <NoRunner organization={organizationId} />}
      <Answer query={automations} what="The automations" bones={<TableBones />}>
        {(list) =>
          list.length === 0 ? (
            <None may={mayAdminister} make={setMaking} organization={organizationId} />
          ) : (
            <Table organization={organizationId} may={mayAdminister} automations={list} />
          )
        }
      </Answer>
      <NewAutomation organization={organizationId} template={making} close={() => setMaking(undefined)} />
    </Page>
  );
}

interface NoneProps {
  organization: number;
  may: boolean;
  make: (template: TemplateId) => void;
}

function None({ organization, may, make }: NoneProps) {
  const action = may && (
    <>
      <Button onClick={() => make("errors")}>Look at new errors…</Button>
      <Button variant="subtle" onClick={() => make("empty")}>
        Start from an empty one…
      </Button>
    </>
  );
  return (
    <Empty title="No automations yet" action={action}>
      <p>
        An automation sets an agent to work when something happens: a new error, a failed check, a time of the week. It
        works on <Link to={paths.runners(organization)}>your own machines</Link>, with your own agent, on a branch of
        its own, and what it did shows on the issue.
      </p>
    </Empty>
  );
}

interface TableProps {
  organization: number;
  may: boolean;
  automations: ListedAutomation[];
}

function Table({ organization, may, automations }: TableProps) {
  const summary = useQuery(summaryQuery(organization, days)).data?.automations;
  return (
    <table className={table.table} aria-label="Automations">
      <thead>
        <tr>
          <th scope="col">Automation</th>
          <th scope="col">Called by</th>
          <th scope="col">Sessions in {days} days</th>
          <th scope="col">Last session</th>
          <th scope="col">On</th>
        </tr>
      </thead>
      <tbody>
        {automations.map((automation) => (
          <Row
            key={automation.id}
            organization={organization}
            automation={automation}
            did={summary?.find(({ automation_id }) => automation_id === automation.id)}
            may={may}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  organization: number;
  may: boolean;
  automation: ListedAutomation;
  /** The sums of the last days; undefined until they are known. */
  did: AutomationSummary | undefined;
}

function Row({ organization, may, automation, did }: RowProps) {
  const cache = useQueryClient();
  const turn = async (enabled: boolean) => {
    await changeAutomation(organization, automation.id, { enabled });
    await refreshAutomate(cache, organization);
  };
  const calls = calledBy(automation.activeProviders);
  return (
    <tr>
      <td className={table.main}>
        <Link to={paths.automation(organization, automation.id)} className="cut">
          <Line text={automation.name} />
        </Link>
        <span className="muted cut">
          {automation.description === "" ? automation.agent_type : <Line text={automation.description} />}
        </span>
      </td>
      <td data-label="Called by">{calls === "" ? <span className="muted">People only</span> : calls}</td>
      <td data-label="Sessions">{did ? <Did of={did} /> : <span className="muted">none</span>}</td>
      <td data-label="Last">
        {did?.last_run_at ? <Time at={did.last_run_at} /> : <span className="muted">none lately</span>}
      </td>
      <td data-label="On">
        <OnSwitch kind="automation" name={automation.name} on={automation.enabled} may={may} turn={turn} />
      </td>
    </tr>
  );
}

function Did({ of }: { of: AutomationSummary }) {
  const words = [
    of.failed > 0 && `${exact(of.failed)} without success`,
    of.merged > 0 && `${exact(of.merged)} merged`,
    of.closed > 0 && `${exact(of.closed)} closed`,
    of.cost_usd > 0 && dollars(of.cost_usd),
  ].filter(Boolean);
  return (
    <span className="number">
      {counted(of.runs, "session")}
      {words.length > 0 && <span className="muted">, {words.join(", ")}</span>}
    </span>
  );
}
