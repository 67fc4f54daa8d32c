import { TextInput } from "@mantine/core";
import { useRef } from "react";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { useRecordForm } from "../../ui/form.ts";
import { required } from "../../ui/rules.ts";
import { Time } from "../../ui/Time.tsx";
import { DeleteProject } from "./DeleteProject.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { ProjectSaveBar } from "./ProjectSaveBar.tsx";
import { useSave } from "./use-save.ts";

/** The project's name, and its deletion. */
export function General({ project }: { project: Project }) {
  const { mayAdminister } = useRights(project.id);
  const save = useSave(project.id);
  const form = useRecordForm({
    initialValues: { name: project.name, platform: project.platform ?? "" },
    validate: { name: (name) => required(name) },
    send: async ({ name, platform }) => {
      const saved = { name: name.trim(), platform: platform.trim() };
      await save({ ...saved, platform: saved.platform === "" ? null : saved.platform });
      form.setValues(saved);
      form.resetDirty(saved);
    },
  });
  return (
    <>
      <h2>General</h2>
      <OnlyAdmins project={project.id} what="Changing these settings" />
      <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
        <TextInput {...form.field("name")} label="Name" maxLength={128} readOnly={!mayAdminister} />
        <TextInput
          {...form.field("platform")}
          label="Platform"
          description="What its code runs on, such as javascript"
          maxLength={64}
          readOnly={!mayAdminister}
        />
        {mayAdminister && <ProjectSaveBar project={project.id} form={form} />}
      </form>
      <dl className={classes.facts}>
        <Fixed name="ID" value={String(project.id)} />
        <Fixed name="Slug" value={project.slug} />
        <dt>Created</dt>
        <dd>
          <Time at={project.created_at} exact />
        </dd>
      </dl>
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to the name and platform will be lost.
      </LeaveGuard>
      {mayAdminister && <DeleteProject project={project} settle={form.discard} />}
    </>
  );
}

function Fixed({ name, value }: { name: string; value: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi className="mono cut" title={value} ref={shown}>
          {value}
        </bdi>
        <CopyButton text={value} label={`Copy ${name}`} shown={shown} />
      </dd>
    </>
  );
}
