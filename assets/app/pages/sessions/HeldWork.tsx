import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentSessionQuery, releaseSession } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { Snippet } from "../../ui/Snippet.tsx";
import { oneLine } from "../../ui/visible.ts";
import classes from "./Sessions.module.css";
import { hasEnded } from "./words.ts";

interface Props {
  organization: number;
  session: AgentSession;
}

/** Held-back work of an agent, and the changes that need a review. */
export function HeldWork({ organization, session }: Props) {
  if (session.patch === null) return null;
  return (
    <section aria-labelledby="held" className={classes.held}>
      <div className={classes.heldHead}>
        <h2 id="held">{title(session)}</h2>
        {session.held_commit !== null && hasEnded(session) && <Release organization={organization} session={session} />}
      </div>
      {session.held.length > 0 && session.status !== "paused" && (
        <>
          <p>A person has to look at this before it is pushed:</p>
          <ul aria-label="Held back" className={classes.reasons}>
            {session.held.map(({ path, why }) => (
              <li key={`${path} ${why}`}>
                {path !== "…" && <code>{oneLine(path)} </code>}
                {oneLine(why)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="muted">{words(session)}</p>
      <Snippet text={session.patch} label="What the agent changed" />
    </section>
  );
}

function title({ held_commit, head_commit, status }: AgentSession) {
  if (held_commit !== null) return status === "paused" ? "Done so far" : "Held back";
  return head_commit === null ? "Suggested patch" : "Was held back";
}

/** The state of the held-back work. */
function words({ held_commit, head_commit, is_releasing, status }: AgentSession) {
  if (status === "paused") return "Nothing was pushed. Its runner keeps it.";
  if (is_releasing) return "It was released: its runner pushes it.";
  if (held_commit !== null) return "This was not pushed. Its runner keeps it until somebody releases it.";
  if (head_commit !== null) return "It was released, and pushed.";
  return "Nothing was pushed. Read it, then apply it with git apply.";
}

function Release({ organization, session }: Props) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  const release = async () => {
    const changed = await releaseSession(organization, session.id);
    cache.setQueryData(agentSessionQuery(organization, session.id).queryKey, changed);
  };
  return (
    <>
      <Button size="xs" onClick={() => setAsking(true)}>
        Release…
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title="Release what was held back?"
        action="Release"
        doing="Releasing…"
        run={release}
      >
        <p>
          It is pushed to a branch of the repository as it is, and a pull request is opened. What it changes may run on
          your build servers at once, with what they have access to.
        </p>
      </Confirm>
    </>
  );
}
