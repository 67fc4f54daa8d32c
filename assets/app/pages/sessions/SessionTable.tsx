import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runnersQuery } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { Duration } from "./Duration.tsx";
import { StartedBy } from "./StartedBy.tsx";
import { SessionState } from "./SessionState.tsx";
import classes from "./Sessions.module.css";
import { closedWords, costOf, sessionName } from "./words.ts";

interface Props {
  organization: number;
  sessions: AgentSession[];
  label: string;
}

/** Sessions, a row each. */
export function SessionTable({ organization, sessions, label }: Props) {
  const runners = useQuery(runnersQuery(organization)).data;
  const nameOf = (list: { id: string; name: string }[] | undefined, id: string | null) =>
    list?.find((each) => each.id === id)?.name;
  return (
    <table className={table.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col">State</th>
          <th scope="col">Runner</th>
          <th scope="col" className={classes.right}>
            Duration
          </th>
          <th scope="col" className={classes.right}>
            Cost
          </th>
          <th scope="col" className={classes.right}>
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td className={table.main}>
              <Link to={paths.agentSession(organization, session.id)} className="cut">
                <Line text={session.title} />
              </Link>
              <About organization={organization} session={session} />
              {session.closed_at !== null && (
                <span className="muted">
                  <Line text={closedWords(session)} />
                </span>
              )}
            </td>
            <td data-label="State">
              <SessionState session={session} />
            </td>
            <td data-label="Runner" className="cut" data-empty={session.runner_id === null || undefined}>
              {session.runner_id === null ? (
                <span className="muted">none</span>
              ) : (
                <Line text={nameOf(runners, session.runner_id) ?? "a deleted one"} />
              )}
            </td>
            <td
              data-label="Duration"
              className={`number ${classes.right}`}
              data-empty={session.started_at === null || undefined}
            >
              <Duration of={session} />
            </td>
            <td
              data-label="Cost"
              className={`number ${classes.right}`}
              data-empty={session.cost_usd === 0 || undefined}
            >
              <span className={session.cost_usd > 0 ? "" : "muted"}>{costOf(session)}</span>
            </td>
            <td data-label="Created" className={classes.right}>
              <Time at={session.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The session's number, what started it, its issue, and its outcome. */
function About({ organization, session }: { organization: number; session: AgentSession }) {
  const { project_id, issue_id, issue_short_id, pull_request_url, merged_at, closed_at } = session;
  const isOpen = pull_request_url !== null && closed_at === null;
  return (
    <span className="muted">
      {sessionName(session.number)} · by <StartedBy organization={organization} session={session} />
      {project_id !== null && issue_id !== null && (
        <>
          , <Link to={paths.issue(project_id, issue_id)}>{issue_short_id}</Link>
        </>
      )}
      {merged_at !== null ? ", merged" : isOpen && ", with a pull request"}
    </span>
  );
}
