import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { issueRunsQuery } from "../../../api/automation-queries.ts";
import { useRights } from "../../../api/role.ts";
import type { IssueRun } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import table from "../../../ui/Table.module.css";
import { NoRunner } from "../../runners/NoRunner.tsx";
import { Duration } from "../../sessions/Duration.tsx";
import { SessionState } from "../../sessions/SessionState.tsx";
import { closedWords, sessionName } from "../../sessions/words.ts";
import type { Place } from "../queries.ts";
import classes from "./Runs.module.css";

/** The agent runs about the issue. */
export default function RunsTab({ place, start }: { place: Place; start: () => void }) {
  const runs = useQuery(issueRunsQuery(place.project, place.issue));
  const { organization } = useRights(place.project);
  const ask = <Button onClick={start}>Let an agent look at it…</Button>;
  return (
    <section className={classes.runs} aria-label="Sessions of agents">
      <Answer query={runs} what="The sessions" bones={<TableBones columns={3} />}>
        {({ runs: list }) =>
          list.length === 0 ? (
            <Empty title="No agent has looked at it" action={ask}>
              <p>An agent works on one of your machines, in a clone of the repository, on a branch of its own.</p>
            </Empty>
          ) : (
            <>
              {organization && <NoRunner organization={organization.id} />}
              <div>{ask}</div>
              {organization && <Table organization={organization.id} runs={list} />}
            </>
          )
        }
      </Answer>
    </section>
  );
}

function Table({ organization, runs }: { organization: number; runs: IssueRun[] }) {
  return (
    <table className={table.table} aria-label="Sessions">
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col">State</th>
          <th scope="col">Result</th>
          <th scope="col">Duration</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td className={table.main}>
              <Link to={paths.agentSession(organization, run.id)} className="cut">
                <Line text={run.title} />
              </Link>
              <span className="muted cut">
                {sessionName(run.number)}
                {run.summary !== null && (
                  <>
                    {" · "}
                    <Line text={run.summary} />
                  </>
                )}
              </span>
            </td>
            <td data-label="State">
              <SessionState session={run} />
            </td>
            <td data-label="Result" className="cut">
              <Result run={run} />
            </td>
            <td data-label="Duration" className="number">
              <Duration of={run} />
            </td>
            <td data-label="Created">
              <Time at={run.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The outcome of a run, as far as it is known. */
function Result({ run }: { run: IssueRun }) {
  if (run.regressed_at !== null) {
    return (
      <span className={classes.bad}>
        regressed after the merge, <Time at={run.regressed_at} />
      </span>
    );
  }
  if (run.merged_at !== null) return <>merged</>;
  if (run.closed_at !== null) return <Line text={closedWords(run)} />;
  if (run.pull_request_url !== null) return <>pull request</>;
  if (run.head_commit !== null && run.branch_name !== null) return <Line text={run.branch_name} mono />;
  return <span className="muted">none</span>;
}
