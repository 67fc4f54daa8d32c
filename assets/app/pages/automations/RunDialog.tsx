import { Button, Group, Modal, Select } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dryRunQuery, refreshAutomate, runAutomation } from "../../api/automation-queries.ts";
import { projectsQuery } from "../../api/queries.ts";
import type { AutomationWithTriggers } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import keyClasses from "../../ui/settings/Keys.module.css";
import classes from "../../ui/settings/Settings.module.css";
import { oneLine } from "../../ui/visible.ts";
import { newestIssuesQuery } from "./newest-issues.ts";
import { Preview } from "./Preview.tsx";
import { skipWords } from "./words.ts";

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
  opened: boolean;
  close: () => void;
}

/** Runs an automation now, or shows what its agent would get. */
export function RunDialog({ organization, automation, opened, close }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Try or run" size="xl">
      <Run organization={organization} automation={automation} close={close} />
    </Modal>
  );
}

function Run({ organization, automation, close }: Omit<Props, "opened">) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [project, setProject] = useState<string | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const about = {
    ...(project !== null && { projectId: Number(project) }),
    ...(issue !== null && { issueId: Number(issue) }),
  };
  const preview = useQuery({ ...dryRunQuery(organization, automation.id, about), enabled: tried });
  const run = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { event, session } = await runAutomation(organization, automation.id, about);
      await refreshAutomate(cache, organization);
      if (session) {
        close();
        await navigate({ to: paths.agentSession(organization, session.id) });
      } else {
        setFailure(new Error(`It was skipped: ${skipWords(event?.reason ?? "")}.`));
      }
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const choose = (next: string | null) => {
    setProject(next);
    setIssue(null);
  };
  return (
    <div className={`${keyClasses.form} ${classes.fields}`}>
      <ProjectChoice organization={organization} value={project} set={choose} />
      {project !== null && <IssueChoice project={Number(project)} value={issue} set={setIssue} />}
      {tried && <Preview query={preview} />}
      <Alarm error={failure} />
      <Group justify="flex-end">
        {!tried && (
          <Button variant="default" onClick={() => setTried(true)}>
            Dry run
          </Button>
        )}
        <BusyButton busy={busy} label="Run now" doing="Starting…" onClick={() => void run()} />
      </Group>
    </div>
  );
}

interface ChoiceProps {
  value: string | null;
  set: (value: string | null) => void;
}

function ProjectChoice({ organization, value, set }: ChoiceProps & { organization: number }) {
  const projects = useQuery(projectsQuery).data?.filter((each) => each.organization.id === organization) ?? [];
  return (
    <Select
      size="sm"
      label="Project (optional)"
      description="The agent works in its repository"
      data={projects.map(({ id, name }) => ({ value: String(id), label: oneLine(name) }))}
      value={value}
      onChange={set}
      clearable
      searchable
      clearButtonProps={{ "aria-label": "Clear the project" }}
    />
  );
}

function IssueChoice({ project, value, set }: ChoiceProps & { project: number }) {
  const issues = useQuery(newestIssuesQuery(project)).data ?? [];
  return (
    <Select
      size="sm"
      label="Issue (optional)"
      description="One of those seen last: the agent is told what Mayday knows of it"
      data={issues.map(({ id, short_id, title }) => ({ value: String(id), label: `${short_id} ${oneLine(title)}` }))}
      value={value}
      onChange={set}
      clearable
      searchable
      clearButtonProps={{ "aria-label": "Clear the issue" }}
    />
  );
}
