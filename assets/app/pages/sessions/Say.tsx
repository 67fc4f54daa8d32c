import { say } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { MessageForm, isUnsent, useMessage } from "../../shell/MessageForm.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { waits } from "./words.ts";

/** Sends a message to the agent. */
export function Say({ organization, session }: { organization: number; session: AgentSession }) {
  const message = useMessage((text) => say(organization, session.id, text));
  return (
    <>
      <MessageForm
        form={message}
        label="Message to the agent"
        description={
          waits(session)
            ? "The agent gets it once a runner takes the session"
            : "Its runner gets it within seconds; the agent reads it once it is ready"
        }
        action="Send"
      />
      <LeaveGuard when={() => isUnsent(message)} title="Discard your message?">
        You have not sent it yet. It will be lost if you leave this page.
      </LeaveGuard>
    </>
  );
}
