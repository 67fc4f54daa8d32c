import { Autocomplete, Button, Modal, Select, Textarea } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  automationsQuery,
  dryRunQuery,
  issueRunsQuery,
  refreshAutomate,
  repositoriesQuery,
  runAutomation,
  sessionPreviewQuery,
  startSession,
} from "../../../api/automation-queries.ts";
import { useRights } from "../../../api/role.ts";
import type { AgentSession, Issue } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { type Form, useForm } from "../../../ui/form.ts";
import { required } from "../../../ui/rules.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { Preview } from "../../automations/Preview.tsx";
import { templates } from "../../automations/templates.ts";
import { agents, skipWords } from "../../automations/words.ts";
import { NoRunner } from "../../runners/NoRunner.tsx";
import look from "./Runs.module.css";

interface Props {
  issue: Issue;
  opened: boolean;
  close: () => void;
}

/** Starts an agent on an issue, after showing exactly what it gets. */
export default function LetAgentLook({ issue, opened, close }: Props) {
  const { organization } = useRights(issue.project_id);
  return (
    <Modal opened={opened} onClose={close} title="Let an agent look at it" size="xl">
      {organization && <Ask organization={organization.id} issue={issue} close={close} />}
    </Modal>
  );
}

/** The choice of a session without an automation. */
const own = "own";

type Choice = {
  automation: string;
  prompt: string;
  agent: string;
  /** Empty: that of the project. */
  repository: string;
};

function Ask({ organization, issue, close }: { organization: number; issue: Issue; close: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [seen, setSeen] = useState<Choice>();
  const form = useForm<Choice>({
    initialValues: {
      automation: own,
      prompt: templates.errors.fields.agentInstructions ?? "",
      agent: agents[0] as string,
      repository: "",
    },
    validate: {
      agent: (agent, { automation }) => (automation === own ? required(agent.trim(), "Choose an agent.") : undefined),
    },
    send: async (choice) => {
      const session = await begin(organization, issue, choice);
      await refreshAutomate(cache, organization);
      void cache.invalidateQueries({ queryKey: issueRunsQuery(issue.project_id, issue.id).queryKey });
      if (session) await navigate({ to: paths.agentSession(organization, session.id) });
    },
  });
  // What was seen is no longer what it gets once something else is chosen.
  const isSeen = seen !== undefined && JSON.stringify(seen) === JSON.stringify(form.values);
  return (
    <DialogForm
      form={form}
      cancel={close}
      label="Start"
      doing="Starting…"
      error={form.failure}
      before={
        !isSeen && (
          <Button variant="default" onClick={() => setSeen(form.values)}>
            Show what it gets
          </Button>
        )
      }
    >
      <NoRunner organization={organization} />
      <Fields organization={organization} form={form} />
      {isSeen && <Look organization={organization} issue={issue} choice={seen} />}
    </DialogForm>
  );
}

const aboutOf = (issue: Issue) => ({ projectId: issue.project_id, issueId: issue.id });

const bodyOf = (issue: Issue, { prompt, agent, repository }: Choice) => ({
  ...aboutOf(issue),
  title: `${issue.short_id} ${oneLine(issue.title)}`.slice(0, 200),
  prompt,
  agentType: agent.trim(),
  ...(repository !== "" && { repoId: repository }),
});

/** Starts it; an automation may have a reason not to. */
async function begin(organization: number, issue: Issue, choice: Choice): Promise<AgentSession | null> {
  if (choice.automation === own) return startSession(organization, bodyOf(issue, choice));
  const { event, session } = await runAutomation(organization, choice.automation, aboutOf(issue));
  if (!session) throw new Error(`It was skipped: ${skipWords(event?.reason ?? "")}.`);
  return session;
}

function Look({ organization, issue, choice }: { organization: number; issue: Issue; choice: Choice }) {
  const isOwn = choice.automation === own;
  const alone = useQuery({ ...sessionPreviewQuery(organization, bodyOf(issue, choice)), enabled: isOwn });
  const dry = useQuery({ ...dryRunQuery(organization, choice.automation, aboutOf(issue)), enabled: !isOwn });
  return <Preview query={isOwn ? alone : dry} />;
}

function Fields({ organization, form }: { organization: number; form: Form<Choice> }) {
  const automations = useQuery(automationsQuery(organization)).data ?? [];
  const repositories = useQuery(repositoriesQuery(organization)).data ?? [];
  return (
    <>
      {automations.length > 0 && (
        <Select
          {...form.field("automation")}
          size="sm"
          label="Automation"
          description="It has instructions, an agent and limits of its own"
          data={[
            { value: own, label: "None: use the instructions below" },
            ...automations.map(({ id, name }) => ({ value: id, label: oneLine(name) })),
          ]}
          allowDeselect={false}
        />
      )}
      {form.values.automation === own && (
        <>
          <Textarea {...form.field("prompt")} label="Instructions" autosize minRows={4} maxRows={12} data-autofocus />
          <div className={look.pair}>
            <Autocomplete {...form.field("agent")} label="Agent" data={agents} maxLength={64} spellCheck={false} />
            <Select
              {...form.field("repository")}
              size="sm"
              label="Repository"
              data={[
                { value: "", label: "The project’s own" },
                ...repositories.map(({ id, host_repo_name }) => ({ value: id, label: oneLine(host_repo_name) })),
              ]}
              allowDeselect={false}
            />
          </div>
        </>
      )}
    </>
  );
}
