import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { projectQuery } from "../../../api/queries.ts";
import type { IssueSession } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { webAddress } from "../../sessions/web-address.ts";
import { sessionName } from "../../sessions/words.ts";
import { runLine } from "./run-line.ts";
import classes from "./Runs.module.css";

/** One line under the issue's title: what an agent does about it, or has done. */
export function AgentLine({ project, session }: { project: number; session: IssueSession }) {
  // Every page of a project has it: a line that comes later would push what is below it away.
  const organization = useQuery(projectQuery(project)).data?.organization_id;
  if (organization === undefined) return null;
  const { words, pullRequest, state } = runLine(session);
  return (
    <p className={classes.line} aria-label="Agents" role="note">
      <Bot size="1em" aria-hidden />
      <span>
        <Link to={paths.agentSession(organization, session.id)}>{sessionName(session.number)}</Link> {words}
        {pullRequest && (
          <>
            {" "}
            <PullRequest {...pullRequest} />
          </>
        )}
        {state && `: ${state}`}
      </span>
    </p>
  );
}

/** The agent chose the address: it says where it leads, and only a Web address becomes a link. */
function PullRequest({ url, name }: { url: string; name: string }) {
  const address = webAddress(url);
  if (!address) return name;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {name} on {address.host}
    </a>
  );
}
