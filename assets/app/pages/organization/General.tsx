import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { renameOrganization } from "../../api/organization-queries.ts";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import type { Organization } from "../../api/schema.d.ts";
import { useRecordForm } from "../../ui/form.ts";
import { done } from "../../ui/notify.ts";
import { nameProblem, required } from "../../ui/rules.ts";
import { Time } from "../../ui/Time.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import { SaveBar } from "../../ui/settings/SaveBar.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { AgentCaps } from "./AgentCaps.tsx";
import { HandOver, LinkForOwner, type NewOwnersLink } from "./HandOver.tsx";

/** The organization's name and owner. */
export function General({ organization }: { organization: Organization }) {
  const { id, role } = organization;
  // Held here, as the part that hands over disappears once that is done.
  const [link, setLink] = useState<NewOwnersLink>();
  return (
    <>
      <h2>General</h2>
      <AdminsNote organization={id} role={role} what="Changing these settings" />
      <NameForm organization={organization} mayChange={role !== "member"} />
      <dl className={classes.facts}>
        <dt>ID</dt>
        <dd className="mono">{id}</dd>
        <dt>Your role</dt>
        <dd>{role}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={organization.created_at} exact />
        </dd>
      </dl>
      <AgentCaps organization={id} mayChange={role !== "member"} />
      {role === "owner" && <HandOver organization={organization} showLink={setLink} />}
      {link && <LinkForOwner link={link} close={() => setLink(undefined)} />}
    </>
  );
}

function NameForm({ organization, mayChange }: { organization: Organization; mayChange: boolean }) {
  const cache = useQueryClient();
  const form = useRecordForm({
    initialValues: { name: organization.name },
    validate: { name: (name) => required(name) ?? nameProblem(name.trim()) },
    send: async ({ name }) => {
      await renameOrganization(organization.id, name.trim());
      form.setValues({ name: name.trim() });
      form.resetDirty({ name: name.trim() });
      await cache.invalidateQueries({ queryKey: organizationsQuery.queryKey });
      void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
      done("Saved");
    },
  });
  return (
    <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
      <TextInput {...form.field("name")} label="Name" readOnly={!mayChange} />
      {mayChange && <SaveBar form={form} />}
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your change to the name will be lost.
      </LeaveGuard>
    </form>
  );
}
