import { Button, Modal, Select } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dryRunQuery, refreshAutomate, runAutomation } from "../../api/automation-queries.ts";
import { projectsQuery } from "../../api/queries.ts";
import type { AutomationWithTriggers } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { type Form, useForm } from "../../ui/form.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
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

type About = {
  project: string | null;
  issue: string | null;
};

const aboutOf = ({ project, issue }: About) => ({
  ...(project !== null && { projectId: Number(project) }),
  ...(issue !== null && { issueId: Number(issue) }),
});

function Run({ organization, automation, close }: Omit<Props, "opened">) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [tried, setTried] = useState(false);
  const form = useForm<About>({
    initialValues: { project: null, issue: null },
    send: async (about) => {
      const { event, session } = await runAutomation(organization, automation.id, aboutOf(about));
      await refreshAutomate(cache, organization);
      if (!session) throw new Error(`It was skipped: ${skipWords(event?.reason ?? "")}.`);
      close();
      await navigate({ to: paths.agentSession(organization, session.id) });
    },
  });
  const { project } = form.values;
  const preview = useQuery({ ...dryRunQuery(organization, automation.id, aboutOf(form.values)), enabled: tried });
  return (
    <DialogForm
      form={form}
      cancel={close}
      label="Run now"
      doing="Starting…"
      error={form.failure}
      before={
        !tried && (
          <Button variant="default" onClick={() => setTried(true)}>
            Dry run
          </Button>
        )
      }
    >
      <ProjectChoice organization={organization} form={form} />
      {project !== null && <IssueChoice project={Number(project)} form={form} />}
      {tried && <Preview query={preview} />}
    </DialogForm>
  );
}

function ProjectChoice({ organization, form }: { organization: number; form: Form<About> }) {
  const projects = useQuery(projectsQuery).data?.filter((each) => each.organization.id === organization) ?? [];
  return (
    <Select
      {...form.field("project")}
      size="sm"
      label="Project (optional)"
      description="The agent works in its repository"
      data={projects.map(({ id, name }) => ({ value: String(id), label: oneLine(name) }))}
      onChange={(project) => form.setValues({ project, issue: null })}
      clearable
      searchable
      clearButtonProps={{ "aria-label": "Clear the project" }}
    />
  );
}

function IssueChoice({ project, form }: { project: number; form: Form<About> }) {
  const issues = useQuery(newestIssuesQuery(project)).data ?? [];
  return (
    <Select
      {...form.field("issue")}
      size="sm"
      label="Issue (optional)"
      description="One of those seen last: the agent is told what Mayday knows of it"
      data={issues.map(({ id, short_id, title }) => ({ value: String(id), label: `${short_id} ${oneLine(title)}` }))}
      clearable
      searchable
      clearButtonProps={{ "aria-label": "Clear the issue" }}
    />
  );
}
