import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { limitsQuery } from "../../api/project-settings.ts";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { Tags } from "../../ui/Tags.tsx";
import { ProjectSaveBar } from "./ProjectSaveBar.tsx";
import { distinct, nameProblem, parts, whole } from "./scrub.ts";
import { useSave } from "./use-save.ts";

/** The settings for removing secrets from events before they are stored. */
export function Scrubbing({ project }: { project: Project }) {
  const { mayAdminister } = useRights(project.id);
  const limits = useQuery(limitsQuery(project.id)).data?.project;
  const bounds = { names: limits?.scrubbed_names ?? 100, chars: limits?.scrubbed_name_chars ?? 64 };
  const save = useSave(project.id);
  const form = useRecordForm({
    initialValues: whole(project.settings.scrubbing),
    validate: { keys: (keys) => nameProblem(keys, bounds) },
    validateInputOnChange: ["keys"],
    send: async (scrubbing) => {
      await save({ settings: { scrubbing } });
      form.resetDirty(scrubbing);
    },
  });
  return (
    <>
      <h2>Scrubbing</h2>
      <p className={classes.lead}>
        Secrets are removed from events when they arrive, before anything is stored, and replaced by{" "}
        <code>[Filtered]</code>. The event says how many values were removed. Changes apply to new events only: removed
        values cannot be restored, and events that are already stored stay as they are.
      </p>
      <OnlyAdmins project={project.id} what="Changing these settings" />
      <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
        <fieldset className={classes.switches} disabled={!mayAdminister}>
          <legend>What is removed</legend>
          {parts.map(({ name, label, about }) => (
            <Switch key={name} {...form.field(name, { type: "checkbox" })} label={label} description={about} />
          ))}
          <Switch
            label="IP addresses"
            description="Of users, and in fields whose name suggests one: client_ip, X-Forwarded-For, CF-Connecting-IP and similar"
            checked={!form.values.keep_ip_addresses}
            onChange={(event) => form.setFieldValue("keep_ip_addresses", !event.currentTarget.checked)}
          />
        </fieldset>
        <Tags
          {...form.field("keys")}
          label="Also remove the values of these fields"
          description={`Up to ${bounds.names} names of at most ${bounds.chars} characters each. Case, - and _ do not matter: X-Session matches x_session. Press Enter to add a name.`}
          placeholder={mayAdminister ? "iban" : ""}
          onChange={(keys) => form.setFieldValue("keys", distinct(keys))}
          splitChars={[",", "\n"]}
          readOnly={!mayAdminister}
        />
        {mayAdminister && <ProjectSaveBar project={project.id} form={form} />}
      </form>
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to what is removed will be lost.
      </LeaveGuard>
    </>
  );
}
