import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { say } from "../../api/automation-queries.ts";
import { messageOf } from "../../api/error.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import classes from "./Sessions.module.css";
import type { Block } from "./transcript.ts";
import { questionOf, waitsForPerson } from "./words.ts";

type Verdict = "Allow" | "Refuse";

interface Props {
  organization: number;
  session: AgentSession;
  blocks: readonly Block[];
}

/** Lets a person answer the agent's permission request. */
export function Permission({ organization, session, blocks }: Props) {
  const question = waitsForPerson(session) ? questionOf(blocks) : undefined;
  const answer = useMutation({
    mutationFn: ({ word, number }: { word: Verdict; number: number }) =>
      say(organization, session.id, `${word} ${number}`),
  });
  if (!question) return null;
  const isAnswered = !answer.isError && answer.variables?.number === question.number;
  const button = (word: Verdict) => (
    <Button
      variant={word === "Allow" ? "filled" : "default"}
      loading={isAnswered && answer.variables?.word === word}
      disabled={isAnswered}
      onClick={() => answer.mutate({ word, number: question.number })}
    >
      {word}
    </Button>
  );
  return (
    <section className={classes.permission} aria-label="Permission">
      <p>
        The agent asks for permission:{" "}
        <strong>
          <bdi>{question.title}</bdi>
        </strong>
      </p>
      <p className={classes.small}>
        The transcript shows the whole request. If nobody answers, it is refused after a while. A message to the agent
        refuses it as well, and can say what to do instead.
      </p>
      <div className={classes.send}>
        {button("Allow")}
        {button("Refuse")}
      </div>
      {answer.error && <p role="alert">Your answer was not sent: {messageOf(answer.error)}</p>}
    </section>
  );
}
