import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useState } from "react";
import { agentSessionQuery, changeMode } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import note from "../../ui/Note.module.css";
import classes from "./Sessions.module.css";
import { hasEnded } from "./words.ts";

interface Props {
  organization: number;
  session: AgentSession;
}

/** Where to find what the agent changes, if it did anything. */
function changes(session: AgentSession): string {
  if (!hasEnded(session)) return "What the agent changes is kept as a patch.";
  return session.files_changed.length > 0 ? "What the agent would change is listed under Files changed." : "";
}

/** Says that a session may only read, and lets a person change that. */
export function Mode({ organization, session }: Props) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  if (session.mode !== "read") return null;
  const allow = async () => {
    const changed = await changeMode(organization, session.id, "write");
    cache.setQueryData(agentSessionQuery(organization, session.id).queryKey, changed);
  };
  return (
    <div className={note.note} role="note">
      <Lock aria-hidden />
      <div className={classes.mode}>
        <p>
          {session.is_public
            ? "This session may only read: its cause came from outside, where anybody can write."
            : "This session may only read: a program has started it or written to it, and nobody who is signed in has let it push."}{" "}
          {changes(session)}
        </p>
        {!hasEnded(session) && (
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            Let it push…
          </Button>
        )}
      </div>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title="Let this session push?"
        action="Let it push"
        doing="Saving…"
        run={allow}
      >
        <p>
          {session.is_public
            ? "Its agent reads text that anybody could have sent with the key of a page. "
            : "Its agent does what a schedule, a webhook, a key or a token asked for. "}
          Once it may push, what it changes goes to a branch of the repository, and a pull request is opened. Read what
          it did before you merge.
        </p>
      </Confirm>
    </div>
  );
}
