import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { automationsQuery, runnersQuery, sessionRecord } from "../../api/automation-queries.ts";
import { connectionsQuery } from "../../api/connection-queries.ts";
import type { AgentSession, FileChanged } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { counted, exact } from "../../ui/format.ts";
import { problem } from "../../ui/notify.ts";
import { Line, Prose } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { dollars } from "../automations/words.ts";
import { branchPage } from "./branch.ts";
import { Duration } from "./Duration.tsx";
import classes from "./Sessions.module.css";
import { StartedBy } from "./StartedBy.tsx";
import { webAddress } from "./web-address.ts";
import { closedWords, costOf } from "./words.ts";

interface Props {
  organization: number;
  session: AgentSession;
}

/** The result of a session and its other facts, beside the transcript. */
export function Facts({ organization, session }: Props) {
  const { summary, files_changed } = session;
  return (
    <aside className={classes.side} aria-label="About this session" data-of="outcome">
      {summary !== null && summary !== "" && (
        <section>
          <h2>Summary</h2>
          <Prose text={summary} />
        </section>
      )}
      {files_changed.length > 0 && <Files of={files_changed} />}
      <section>
        <h2>Session</h2>
        <All session={session} />
        <Download organization={organization} session={session} />
      </section>
    </aside>
  );
}

/** Downloads the session as a file. A plain link could not select the organization. */
function Download({ organization, session }: Props) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const record = await sessionRecord(organization, session.id);
      const address = URL.createObjectURL(
        new Blob([JSON.stringify(record, undefined, 2)], { type: "application/json" }),
      );
      const link = Object.assign(document.createElement("a"), {
        href: address,
        download: `session-${session.id}.json`,
      });
      link.click();
      URL.revokeObjectURL(address);
    } catch (error) {
      problem("The record could not be downloaded", error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p className={classes.record}>
      <BusyButton
        size="xs"
        variant="default"
        busy={busy}
        label="Download record"
        doing="Downloading…"
        onClick={() => void download()}
      />
    </p>
  );
}

/** What one asks first of a session, in a line under its state; `modelCost`: of its model calls, in US dollars. */
export function Glance({ organization, session, modelCost }: Props & { modelCost: number }) {
  const { automation_id, project_id, issue_id, issue_short_id, runner_id, branch_name } = session;
  return (
    <section aria-label="At a glance">
      <dl className={classes.glance}>
        <Fact brief name="Automation">
          {automation_id === null ? (
            <span>
              none, started by <StartedBy organization={organization} session={session} />
            </span>
          ) : (
            <Automation organization={organization} id={automation_id} />
          )}
        </Fact>
        <Fact brief name="Issue">
          {project_id !== null && issue_id !== null && (
            <Link to={paths.issue(project_id, issue_id)}>{issue_short_id}</Link>
          )}
        </Fact>
        <Fact brief name="Runner">
          {runner_id !== null && <Runner organization={organization} id={runner_id} />}
        </Fact>
        <Fact brief name="Branch">
          {branch_name !== null && <Branch organization={organization} session={session} />}
        </Fact>
        <Fact brief name="Tokens">
          {session.tokens > 0 && exact(session.tokens)}
        </Fact>
        <Fact brief name="Cost">
          {session.started_at !== null && costOf(session, modelCost)}
        </Fact>
      </dl>
    </section>
  );
}

function All({ session }: { session: AgentSession }) {
  const { head_commit, exit_code, repo } = session;
  const { pull_request_url, merged_at, closed_at, created_at, started_at, ended_at } = session;
  return (
    <dl className={classes.facts}>
      <Fact name="Pull request">{pull_request_url !== null && <PullRequest url={pull_request_url} />}</Fact>
      <Fact name="Merged">{merged_at !== null && <Time at={merged_at} />}</Fact>
      <Fact name="Closed">{closed_at !== null && <Time at={closed_at} />}</Fact>
      <Fact name="Why">{closed_at !== null && <Prose text={closedWords(session)} />}</Fact>
      <Fact name="Commit">{head_commit !== null && <Line text={head_commit.slice(0, 12)} mono />}</Fact>
      <Fact name="Repository">{repo && <Line text={repo.host_repo_name} />}</Fact>
      <Fact name="Agent">{[session.agent_type, session.model_id].filter(Boolean).join(" with ")}</Fact>
      <Fact name="Labels">{session.labels.length > 0 && <Line text={session.labels.join(", ")} />}</Fact>
      <Fact name="Attempt">{session.attempts > 1 && `${session.attempts}, because its runner was lost before`}</Fact>
      <Fact name="Created">
        <Time at={created_at} />
      </Fact>
      <Fact name="Started">{started_at !== null && <Time at={started_at} />}</Fact>
      <Fact name="Ended">{ended_at !== null && <Time at={ended_at} />}</Fact>
      <Fact name="Duration">{started_at !== null && <Duration of={session} />}</Fact>
      <Fact name="Time limit">{counted(session.time_limit_minutes, "minute")}</Fact>
      <Fact name="May use">{capWords(session.caps)}</Fact>
      <Fact name="Exit code">{exit_code !== null && exit_code !== 0 && String(exit_code)}</Fact>
    </dl>
  );
}

/** The caps of a session on one line. */
function capWords({ cost_usd, tokens, output_bytes, files }: AgentSession["caps"]) {
  const parts = [
    typeof cost_usd === "number" && dollars(cost_usd),
    typeof tokens === "number" && `${exact(tokens)} tokens`,
    typeof output_bytes === "number" && `${exact(output_bytes / 1e6)} MB of output`,
    typeof files === "number" && counted(files, "changed file"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Nothing without a value; `brief` keeps name and value together on a line of several. */
function Fact({ name, brief = false, children }: { name: string; brief?: boolean; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === "") return null;
  const fact = (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
  return brief ? <div>{fact}</div> : fact;
}

function Automation({ organization, id }: { organization: number; id: string }) {
  const name = useQuery(automationsQuery(organization)).data?.find((each) => each.id === id)?.name;
  return (
    <Link to={paths.automation(organization, id)}>
      <bdi>{name === undefined ? "Automation" : oneLine(name)}</bdi>
    </Link>
  );
}

function Runner({ organization, id }: { organization: number; id: string }) {
  const { data } = useQuery(runnersQuery(organization));
  const name = data?.find((each) => each.id === id)?.name;
  return <Line text={name ?? (data ? "a deleted one" : "")} />;
}

/** Its page at the code host is linked once it is there, or the repository's if nobody knows what host that is. */
function Branch({ organization, session }: Props) {
  const { repo, branch_name, head_commit } = session;
  const connection = repo?.integration_id ?? null;
  const { data, isLoading } = useQuery({
    ...connectionsQuery(organization),
    enabled: head_commit !== null && connection !== null,
  });
  const name = branch_name ?? "";
  const kind = data?.connections.find(({ id }) => id === connection)?.kind;
  const page = repo && head_commit !== null && !isLoading ? branchPage(repo.host_url, kind, name) : undefined;
  const line = <Line text={name} mono />;
  if (page === undefined) return line;
  const link = (label: ReactNode) => (
    <a href={page.url} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  );
  if (page.of === "branch") return link(line);
  return (
    <>
      {line}
      {link(<Line text={repo?.host_repo_name ?? ""} />)}
    </>
  );
}

/** The agent chose the address, so only a Web address becomes a link. */
function PullRequest({ url }: { url: string }) {
  const address = webAddress(url);
  if (!address) return <Line text={url} />;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      <Line text={address.text} />
    </a>
  );
}

function Files({ of }: { of: FileChanged[] }) {
  return (
    <section>
      <h2>
        Files changed <span className="muted number">{exact(of.length)}</span>
      </h2>
      <ul className={classes.files}>
        {of.map(({ path, added = 0, removed = 0 }) => (
          <li key={path}>
            <Line text={path} mono />
            <span className="number">
              <span className={classes.added}>+{exact(added)}</span>{" "}
              <span className={classes.removed}>−{exact(removed)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
