import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { agentSessionQuery, changeSession, deleteSession, refreshAutomate } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { done, problem } from "../../ui/notify.ts";
import classes from "./Sessions.module.css";
import { TakeOver } from "./TakeOver.tsx";
import { hasEnded, wishes } from "./words.ts";

/** What somebody is asked about. */
export type Asking = "stop" | "take over" | "delete" | undefined;

interface WishesProps {
  organization: number;
  session: AgentSession;
  asking: Asking;
  ask: (asking: Asking) => void;
}

/** Buttons to pause, resume, take over and stop a session; a phone has the last one at its bottom. */
export function Wishes({ organization, session, asking, ask }: WishesProps) {
  const cache = useQueryClient();
  const may = wishes(session);
  const wish = async (status: "paused" | "running" | "stopped") => {
    const changed = await changeSession(organization, session.id, status);
    cache.setQueryData(agentSessionQuery(organization, session.id).queryKey, changed);
  };
  const now = async (status: "paused" | "running") => {
    try {
      await wish(status);
    } catch (error) {
      problem(status === "paused" ? "The session was not paused" : "The session does not go on", error);
    }
  };
  const close = () => ask(undefined);
  return (
    <>
      {may.pause && (
        <Button variant="default" onClick={() => void now("paused")}>
          Pause
        </Button>
      )}
      {may.resume && (
        <Button variant="default" onClick={() => void now("running")}>
          Resume
        </Button>
      )}
      {may.stop && (
        <Button variant="default" onClick={() => ask("take over")}>
          Take over…
        </Button>
      )}
      {may.stop && (
        <span className={classes.above}>
          <Button variant="default" onClick={() => ask("stop")}>
            Stop…
          </Button>
        </span>
      )}
      {hasEnded(session) && (
        <Button variant="outline" color="red" onClick={() => ask("delete")}>
          Delete…
        </Button>
      )}
      <Confirm
        opened={asking === "stop"}
        close={close}
        title="Stop session?"
        action="Stop session"
        doing="Stopping…"
        run={() => wish("stopped")}
      >
        <p>The agent is stopped. It cannot go on from where it was.</p>
      </Confirm>
      <TakeOver organization={organization} session={session} opened={asking === "take over"} close={close} />
      <Delete organization={organization} session={session} opened={asking === "delete"} close={close} />
    </>
  );
}

interface DeleteProps {
  organization: number;
  session: AgentSession;
  opened: boolean;
  close: () => void;
}

function Delete({ organization, session, opened, close }: DeleteProps) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return (
    <Confirm
      opened={opened}
      close={close}
      title="Delete session?"
      action="Delete session"
      doing="Deleting…"
      run={async () => {
        await deleteSession(organization, session.id);
        await navigate({ to: paths.agentSessions(organization), replace: true });
        await refreshAutomate(cache, organization);
        done("Session deleted");
      }}
    >
      <p>Its transcript is deleted with it. A branch that it pushed stays. This cannot be undone.</p>
    </Confirm>
  );
}
