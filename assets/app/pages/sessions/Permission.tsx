import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { say } from "../../api/automation-queries.ts";
import { messageOf } from "../../api/error.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import classes from "./Sessions.module.css";
import { waitsForPerson } from "./words.ts";

/** Answers what the agent asks for; the last lines of the transcript say what that is. */
export function Permission({ organization, session }: { organization: number; session: AgentSession }) {
  const answer = useMutation({ mutationFn: (word: "Allow" | "Refuse") => say(organization, session.id, word) });
  if (!waitsForPerson(session)) return null;
  const button = (word: "Allow" | "Refuse") => (
    <Button
      variant={word === "Allow" ? "filled" : "default"}
      loading={answer.isPending && answer.variables === word}
      disabled={answer.isPending}
      onClick={() => answer.mutate(word)}
    >
      {word}
    </Button>
  );
  return (
    <section className={classes.held} aria-label="Permission">
      <p>
        The agent waits for you: the end of the transcript says what it asks for. Without an answer it is refused after
        ten minutes; a message other than allow or refuse refuses, and tells the agent what to do instead.
      </p>
      <div className={classes.send}>
        {button("Allow")}
        {button("Refuse")}
      </div>
      {answer.error && <p role="alert">Your answer was not sent: {messageOf(answer.error)}</p>}
    </section>
  );
}
