import { Autocomplete, Button, Group, Modal, Select, Textarea } from "@mantine/core";
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
import { Alarm } from "../../../ui/Alarm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
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

interface Choice {
  automation: string;
  prompt: string;
  agent: string;
  /** Empty: that of the project. */
  repository: string;
}

function Ask({ organization, issue, close }: { organization: number; issue: Issue; close: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<Choice>({
    automation: own,
    prompt: templates.errors.fields.agentInstructions ?? "",
    agent: agents[0] as string,
    repository: "",
  });
  const [seen, setSeen] = useState<Choice>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const set = (change: Partial<Choice>) => {
    setChoice({ ...choice, ...change });
    setSeen(undefined);
  };
  const start = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const session = await begin(organization, issue, choice);
      await refreshAutomate(cache, organization);
      void cache.invalidateQueries({ queryKey: issueRunsQuery(issue.project_id, issue.id).queryKey });
      if (session) await navigate({ to: paths.agentSession(organization, session.id) });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={`${keyClasses.form} ${classes.fields}`}>
      <NoRunner organization={organization} />
      <Fields organization={organization} choice={choice} set={set} />
      {seen && <Look organization={organization} issue={issue} choice={seen} />}
      <Alarm error={failure} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        {!seen && (
          <Button variant="default" onClick={() => setSeen(choice)}>
            Show what it gets
          </Button>
        )}
        <BusyButton busy={busy} label="Start" doing="Starting…" onClick={() => void start()} />
      </Group>
    </div>
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

interface FieldsProps {
  organization: number;
  choice: Choice;
  set: (change: Partial<Choice>) => void;
}

function Fields({ organization, choice, set }: FieldsProps) {
  const automations = useQuery(automationsQuery(organization)).data ?? [];
  const repositories = useQuery(repositoriesQuery(organization)).data ?? [];
  return (
    <>
      {automations.length > 0 && (
        <Select
          size="sm"
          label="Automation"
          description="It has instructions, an agent and limits of its own"
          data={[
            { value: own, label: "None: use the instructions below" },
            ...automations.map(({ id, name }) => ({ value: id, label: oneLine(name) })),
          ]}
          value={choice.automation}
          allowDeselect={false}
          onChange={(automation) => set({ automation: automation ?? own })}
        />
      )}
      {choice.automation === own && (
        <>
          <Textarea
            label="Instructions"
            autosize
            minRows={4}
            maxRows={12}
            value={choice.prompt}
            onChange={({ currentTarget: { value } }) => set({ prompt: value })}
            data-autofocus
          />
          <div className={look.pair}>
            <Autocomplete
              label="Agent"
              data={agents}
              maxLength={64}
              value={choice.agent}
              onChange={(agent) => set({ agent })}
              spellCheck={false}
            />
            <Select
              size="sm"
              label="Repository"
              data={[
                { value: "", label: "The project’s own" },
                ...repositories.map(({ id, host_repo_name }) => ({ value: id, label: oneLine(host_repo_name) })),
              ]}
              value={choice.repository}
              allowDeselect={false}
              onChange={(repository) => set({ repository: repository ?? "" })}
            />
          </div>
        </>
      )}
    </>
  );
}
