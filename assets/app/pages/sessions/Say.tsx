import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { say } from "../../api/automation-queries.ts";
import { messageOf } from "../../api/error.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { Keys } from "../../shell/Keys.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import classes from "./Sessions.module.css";
import { waits } from "./words.ts";

/** Sends a message to the agent. */
export function Say({ organization, session }: { organization: number; session: AgentSession }) {
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: (content: string) => say(organization, session.id, content),
    onSuccess: (_, sent) => setText((now) => (now.trim() === sent ? "" : now)),
  });
  const go = () => {
    if (text.trim() !== "" && !send.isPending) send.mutate(text.trim());
  };
  return (
    <form
      className={classes.say}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Textarea
        label="Message to the agent"
        description={
          waits(session)
            ? "The agent gets it once a runner takes the session"
            : "Its runner gets it within seconds; the agent reads it when it is ready to"
        }
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          go();
        }}
        error={send.error ? messageOf(send.error) : undefined}
      />
      <div className={classes.send}>
        <span className={classes.keys}>
          <Keys keys="mod+Enter" />
        </span>
        <Button type="submit" disabled={text.trim() === ""} loading={send.isPending}>
          Send
        </Button>
      </div>
      <LeaveGuard when={() => text.trim() !== ""} title="Discard your message?">
        You have not sent it yet. It will be lost if you leave this page.
      </LeaveGuard>
    </form>
  );
}
