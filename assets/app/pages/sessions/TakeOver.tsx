import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentSessionQuery, changeSession } from "../../api/automation-queries.ts";
import { api, ok } from "../../api/client.ts";
import { issueKeys, meQuery } from "../../api/queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { recountViews } from "../../issue-search/recount.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { done } from "../../ui/notify.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Sessions.module.css";
import { workOf } from "./take-over.ts";
import { hasEnded, sessionName } from "./words.ts";

interface Props {
  organization: number;
  session: AgentSession;
  opened: boolean;
  close: () => void;
}

/** Stops a session for a person who goes on with its issue, and says what of its work they get. */
export function TakeOver({ organization, session, opened, close }: Props) {
  const cache = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { project_id, issue_id, issue_short_id } = session;
  const issue = me && project_id !== null && issue_id !== null ? { project_id, issue_id } : undefined;
  const { queryKey } = agentSessionQuery(organization, session.id);
  const ended = hasEnded(session);
  const takeOver = async () => {
    // First what can be undone: if it fails, the agent goes on.
    if (me && issue) {
      const asked = { params: { path: issue }, body: { assignee: me.id } };
      try {
        await ok(api.PATCH("/api/v1/projects/{project_id}/issues/{issue_id}", asked));
      } catch (error) {
        // A deleted issue is no longer the session's, which can be taken over without it then.
        void cache.invalidateQueries({ queryKey });
        throw error;
      }
      void cache.invalidateQueries({ queryKey: issueKeys.lists(issue.project_id) });
      void cache.invalidateQueries({ queryKey: issueKeys.one(issue.project_id, issue.issue_id) });
      recountViews(cache, issue.project_id);
    }
    if (!ended) cache.setQueryData(queryKey, await changeSession(organization, session.id, "stopped"));
    done(`${sessionName(session.number)} taken over`);
  };
  const work = workOf(session);
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Take over ${sessionName(session.number)}?`}
      action="Take over"
      doing="Taking over…"
      run={takeOver}
    >
      <div className={classes.main}>
        <p>{ended ? "The session has ended meanwhile." : "The agent is stopped. It cannot go on from where it was."}</p>
        {issue && <p>{issue_short_id ?? "The issue"} is assigned to you, whoever has it now.</p>}
        <p>
          <bdi>{work.words}</bdi>
        </p>
        {work.commands !== undefined && <Snippet text={work.commands} label="Commands that get its branch" />}
      </div>
    </Confirm>
  );
}
