import { Button, Switch, Tabs } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { automationQuery, changeAutomation, deleteAutomation, refreshAutomate } from "../../api/automation-queries.ts";
import { isStatus } from "../../api/error.ts";
import { useOrganization } from "../../api/role.ts";
import type { AutomationWithTriggers } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { FormBones } from "../../ui/Bones.tsx";
import { ConfirmTyped } from "../../ui/ConfirmTyped.tsx";
import { done, problem } from "../../ui/notify.ts";
import note from "../../ui/Note.module.css";
import { Answer, Empty } from "../../ui/States.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NoRunner } from "../runners/NoRunner.tsx";
import { AutomationForm } from "./AutomationForm.tsx";
import classes from "./Automations.module.css";
import { Calls } from "./Calls.tsx";
import { RunDialog } from "./RunDialog.tsx";
import { Sessions } from "./Sessions.tsx";
import { Triggers } from "./Triggers.tsx";

const tabs = ["work", "triggers", "calls", "sessions"] as const;
type Tab = (typeof tabs)[number];

/** One automation: its form, triggers, events and sessions. */
export default function AutomationPage() {
  const { organizationId, automationId } = useParams({
    from: "/inside/organizations/$organizationId/automations/$automationId",
  });
  const { found, role } = useOrganization(organizationId);
  const automation = useQuery(automationQuery(organizationId, automationId));
  if (!found) return <Forbidden what="this organization" />;
  const one = automation.data;
  return (
    <Page
      section="automation"
      title={one ? oneLine(one.name) : "Automation"}
      actions={one && <Actions organization={organizationId} automation={one} />}
    >
      {isStatus(automation.error, 404) ? (
        <Empty
          title="Automation not found"
          action={<Link to={paths.automations(organizationId)}>All automations</Link>}
        >
          <p>It was deleted, or the address is wrong.</p>
        </Empty>
      ) : (
        <>
          <div className={note.apart}>
            <AdminsNote organization={organizationId} role={role} what="Changing automations" />
          </div>
          <NoRunner organization={organizationId} />
          <Answer query={automation} what="The automation" bones={<FormBones fields={5} />}>
            {(found) => <Parts organization={organizationId} automation={found} key={found.id} />}
          </Answer>
        </>
      )}
    </Page>
  );
}

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
}

function Parts({ organization, automation }: Props) {
  const { mayAdminister } = useOrganization(organization);
  const [tab, setTab] = useTab();
  const given = { organization, automation, may: mayAdminister };
  return (
    <Tabs
      value={tab}
      onChange={(next) => setTab((next ?? "work") as Tab)}
      keepMounted={false}
      classNames={{ list: classes.tabs ?? "" }}
    >
      <Tabs.List>
        <Tabs.Tab value="work">What it does</Tabs.Tab>
        <Tabs.Tab value="triggers">
          Triggers <span className="muted number">{automation.triggers.length}</span>
        </Tabs.Tab>
        <Tabs.Tab value="calls">Calls</Tabs.Tab>
        <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="work">
        <AutomationForm {...given} />
        {mayAdminister && <Delete organization={organization} automation={automation} />}
      </Tabs.Panel>
      <Tabs.Panel value="triggers">
        <Triggers {...given} />
      </Tabs.Panel>
      <Tabs.Panel value="calls">
        <Calls organization={organization} automation={automation} />
      </Tabs.Panel>
      <Tabs.Panel value="sessions">
        <Sessions organization={organization} automation={automation} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The tab is in the address, after `#`. */
function useTab(): [Tab, (tab: Tab) => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const set = (tab: Tab) =>
    void navigate({ to: ".", hash: tab === "work" ? "" : tab, replace: true, hashScrollIntoView: false });
  return [tabs.find((name) => name === hash) ?? "work", set];
}

function Actions({ organization, automation }: Props) {
  const cache = useQueryClient();
  const { mayAdminister } = useOrganization(organization);
  const [running, setRunning] = useState(false);
  const turn = async (enabled: boolean) => {
    try {
      await changeAutomation(organization, automation.id, { enabled });
      await refreshAutomate(cache, organization);
    } catch (error) {
      problem("The automation was not changed", error);
    }
  };
  return (
    <>
      <Switch
        className={classes.on ?? ""}
        label="On"
        checked={automation.enabled}
        disabled={!mayAdminister}
        onChange={({ currentTarget }) => void turn(currentTarget.checked)}
      />
      <Button variant="default" onClick={() => setRunning(true)}>
        Try or run…
      </Button>
      <RunDialog organization={organization} automation={automation} opened={running} close={() => setRunning(false)} />
    </>
  );
}

function Delete({ organization, automation }: Props) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await deleteAutomation(organization, automation.id);
    await navigate({ to: paths.automations(organization), replace: true, ignoreBlocker: true });
    await refreshAutomate(cache, organization);
    done(`Automation ${oneLine(automation.name)} deleted`);
  };
  return (
    <section className={classes.danger} aria-label="Delete automation">
      <Button variant="outline" color="red" onClick={() => setAsking(true)}>
        Delete automation…
      </Button>
      <ConfirmTyped
        opened={asking}
        close={() => setAsking(false)}
        title="Delete automation?"
        word={automation.name}
        action="Delete automation"
        doing="Deleting…"
        run={remove}
      >
        <p>Its triggers and what called them are deleted. Its sessions stay. This cannot be undone.</p>
      </ConfirmTyped>
    </section>
  );
}
