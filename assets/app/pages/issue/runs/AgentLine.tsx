import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { issueRunsQuery } from "../../../api/automation-queries.ts";
import { useRights } from "../../../api/role.ts";
import { paths } from "../../../paths.ts";
import { webAddress } from "../../sessions/web-address.ts";
import type { Place } from "../queries.ts";
import { runLine } from "./run-line.ts";
import classes from "./Runs.module.css";

/** One line under the issue's title: what an agent does about it, or has done. */
export function AgentLine({ place }: { place: Place }) {
  const { organization } = useRights(place.project);
  const { data } = useQuery({
    ...issueRunsQuery(place.project, place.issue),
    // The tab of the agents asks more often.
    refetchInterval: ({ state }) => (state.data?.runs.length ? 60_000 : false),
  });
  const line = data && runLine(data.runs);
  if (!organization || !line) return null;
  const { id, words, pullRequest, state } = line;
  return (
    <p className={classes.line} aria-label="Agents" role="note">
      <Bot size="1em" aria-hidden />
      <span>
        <Link to={paths.agentSession(organization.id, id)}>An agent’s session</Link> {words}
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
