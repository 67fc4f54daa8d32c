import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentCapsQuery, setAgentCaps } from "../../api/organization-queries.ts";
import type { AgentCaps as Caps } from "../../api/schema.d.ts";
import { CapFields } from "../../ui/CapFields.tsx";
import { capFaults, capsOf, capValues } from "../../ui/caps.ts";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { done } from "../../ui/notify.ts";
import { Answer } from "../../ui/States.tsx";
import { SaveBar } from "../../ui/settings/SaveBar.tsx";
import classes from "../../ui/settings/Settings.module.css";

/** The default caps of agent sessions. */
export function AgentCaps({ organization, mayChange }: { organization: number; mayChange: boolean }) {
  const caps = useQuery(agentCapsQuery(organization));
  return (
    <section className={classes.part} aria-labelledby="agent-caps">
      <h2 id="agent-caps">Agents</h2>
      <p className={classes.lead}>
        What one session may use, unless it or its automation has a limit of its own. Sessions that a key or a token
        starts can have lower limits, not higher ones.
      </p>
      <Answer query={caps} what="The limits of agents" rows={3}>
        {(caps) => <CapsForm organization={organization} caps={caps} mayChange={mayChange} />}
      </Answer>
    </section>
  );
}

interface Props {
  organization: number;
  caps: Caps;
  mayChange: boolean;
}

function CapsForm({ organization, caps, mayChange }: Props) {
  const cache = useQueryClient();
  const form = useRecordForm({
    initialValues: capValues(caps),
    validate: capFaults,
    send: async (values) => {
      const saved = await setAgentCaps(organization, capsOf(values));
      cache.setQueryData(agentCapsQuery(organization).queryKey, saved);
      form.setValues(capValues(saved));
      form.resetDirty(capValues(saved));
      done("Saved");
    },
  });
  return (
    <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
      <CapFields field={form.field} readOnly={!mayChange} />
      {mayChange && <SaveBar form={form} />}
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to what agents may use will be lost.
      </LeaveGuard>
    </form>
  );
}
