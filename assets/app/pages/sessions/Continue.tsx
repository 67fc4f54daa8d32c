import { Button, Modal, NumberInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentSessionQuery, continueSession } from "../../api/automation-queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { CapFields } from "../../ui/CapFields.tsx";
import { capFaults, capsOf, capValues } from "../../ui/caps.ts";
import { useForm } from "../../ui/form.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import classes from "./Sessions.module.css";
import { mayContinue } from "./words.ts";

interface Props {
  organization: number;
  session: AgentSession;
}

/** Continues a session that reached a cap or its time limit. */
export function Continue({ organization, session }: Props) {
  const [asking, setAsking] = useState(false);
  if (!mayContinue(session)) return null;
  return (
    <section aria-label="Continue" className={classes.held}>
      <div className={classes.heldHead}>
        <p>
          {session.held_commit === null
            ? "It begins anew if it continues: nothing had been changed."
            : "What was done until then is kept, and is where it goes on."}
        </p>
        <Button size="xs" onClick={() => setAsking(true)}>
          Continue…
        </Button>
      </div>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Let the session go on?">
        <Form organization={organization} session={session} close={() => setAsking(false)} />
      </Modal>
    </section>
  );
}

function Form({ organization, session, close }: Props & { close: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { ...capValues(session.caps), minutes: session.time_limit_minutes as number | string },
    validate: {
      ...capFaults,
      minutes: (minutes) =>
        Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= 1_440
          ? undefined
          : "Use a whole number from 1 to 1,440.",
    },
    send: async (values) => {
      const body = { caps: capsOf(values), timeLimitMinutes: Number(values.minutes) };
      const changed = await continueSession(organization, session.id, body);
      cache.setQueryData(agentSessionQuery(organization, session.id).queryKey, changed);
      close();
    },
  });
  return (
    <DialogForm form={form} cancel={close} label="Continue" doing="Continuing…">
      <CapFields field={form.field} />
      <NumberInput
        {...form.field("minutes")}
        label="Time limit, in minutes"
        description="From now on"
        min={1}
        max={1_440}
        allowDecimal={false}
      />
    </DialogForm>
  );
}
