import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { renameOrganization } from "../../api/organization-queries.ts";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import type { Organization } from "../../api/schema.d.ts";
import { useForm } from "../../ui/form.ts";
import { done } from "../../ui/notify.tsx";
import { messageOf } from "../../api/error.ts";
import { nameProblem } from "../../ui/rules.ts";
import { Time } from "../../ui/Time.tsx";
import { SaveBar } from "../settings/General.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { HandOver, LinkForOwner, type NewOwnersLink } from "./HandOver.tsx";

/** What the organization is called, and whose it is. */
export function General({ organization }: { organization: Organization }) {
  const { id, role } = organization;
  // Kept here: whoever has handed over sees no such part any more.
  const [link, setLink] = useState<NewOwnersLink>();
  return (
    <>
      <h2>General</h2>
      <AdminsNote organization={id} role={role} what="Changing this" />
      <NameForm organization={organization} mayChange={role !== "member"} />
      <dl className={classes.facts}>
        <dt>Id</dt>
        <dd className="mono">{id}</dd>
        <dt>Your role</dt>
        <dd>{role}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={organization.created_at} exact />
        </dd>
      </dl>
      {role === "owner" && <HandOver organization={organization} showLink={setLink} />}
      {link && <LinkForOwner link={link} close={() => setLink(undefined)} />}
    </>
  );
}

function NameForm({ organization, mayChange }: { organization: Organization; mayChange: boolean }) {
  const cache = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const name = (draft ?? organization.name).trim();
  const changed = name !== organization.name;
  const missing = name === "" ? "An organization needs a name" : nameProblem(name);
  const form = useForm({
    fields: ["name"] as const,
    send: async () => {
      if (!changed || missing) return;
      await renameOrganization(organization.id, name);
      await cache.invalidateQueries({ queryKey: organizationsQuery.queryKey });
      void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
      setDraft(undefined);
      done("Saved");
    },
  });
  return (
    <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
      <TextInput
        name="name"
        label="Name"
        value={draft ?? organization.name}
        readOnly={!mayChange}
        error={missing ?? form.problems.name}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          form.changed("name");
        }}
      />
      <SaveBar
        shown={mayChange}
        changed={changed && !missing}
        busy={form.busy}
        problem={form.failure === undefined ? undefined : messageOf(form.failure)}
        discard={() => setDraft(undefined)}
      />
      <LeaveGuard when={changed && mayChange} title="Leave without saving?">
        The changed name would be lost.
      </LeaveGuard>
    </form>
  );
}
