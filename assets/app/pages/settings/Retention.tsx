import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRights } from "../../api/role.ts";
import type { Project, ProjectRetention, RetentionSettings } from "../../api/schema.d.ts";
import {
  projectPreviewQuery,
  projectRetentionQuery,
  projectUsageQuery,
  type TriedLimits,
} from "../../api/usage-queries.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { FormBones } from "../../ui/Bones.tsx";
import { Bytes } from "../../ui/Bytes.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { LimitFields, removalSentence } from "../../ui/retention/LimitFields.tsx";
import {
  type Fields,
  fieldNames,
  fieldsOf,
  type KindName,
  problemOf,
  removesAny,
  settingsOf,
  triedOf,
  unitOf,
} from "../../ui/retention/limits.ts";
import own from "../../ui/retention/Retention.module.css";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { Answer } from "../../ui/States.tsx";
import { ProjectSaveBar } from "./ProjectSaveBar.tsx";
import { useSave } from "./use-save.ts";

/** The project's retention, and its stored data. */
export function Retention({ project }: { project: Project }) {
  const stored = useQuery(projectRetentionQuery(project.id));
  return (
    <>
      <h2>Retention</h2>
      <p className={classes.lead}>
        Events, log entries and session replays are kept until somebody deletes them, unless there is a limit. What is
        beyond a limit is deleted for good, the oldest first. Issues stay, with their counts; source maps stay with
        their release. Leave a field empty to use the instance’s limit; 0 means unlimited.
      </p>
      <Holds project={project.id} />
      <OnlyAdmins project={project.id} what="Changing these settings" />
      <Answer query={stored} what="The limits" bones={<FormBones fields={4} />}>
        {(found) => <Form project={project} stored={found} />}
      </Answer>
    </>
  );
}

/** The project's stored data. */
function Holds({ project }: { project: number }) {
  const usage = useQuery(projectUsageQuery(project)).data;
  if (usage === undefined) return null;
  const part = (kind: KindName) => usage.kinds.find((each) => each.kind === kind) ?? { count: 0, bytes: 0 };
  const [events, logs, replays] = [part("events"), part("logs"), part("replays")];
  return (
    <p>
      This project holds {unitOf("events", events.count)} (<Bytes of={events.bytes} />
      ), {unitOf("logs", logs.count)} (<Bytes of={logs.bytes} />) and {unitOf("replays", replays.count)} (
      <Bytes of={replays.bytes} />
      ).
    </p>
  );
}

function Form({ project, stored }: { project: Project; stored: ProjectRetention }) {
  const { mayAdminister } = useRights(project.id);
  const cache = useQueryClient();
  const save = useSave(project.id);
  const [asked, setAsked] = useState<{ settings: RetentionSettings; removals: ProjectRetention }>();
  const store = async (settings: RetentionSettings) => {
    await save({ settings: { retention: settings } });
    form.resetDirty(fieldsOf(settings));
    void cache.invalidateQueries({ queryKey: projectRetentionQuery(project.id).queryKey });
    void cache.invalidateQueries({ queryKey: ["instance", "retention"] });
  };
  const form = useRecordForm<Fields>({
    initialValues: fieldsOf(project.settings.retention),
    validate: Object.fromEntries(fieldNames.map((field) => [field, (text: string) => problemOf(field, text)])),
    send: async (fields) => {
      // Loads the current effect first, because the removal cannot be undone.
      const query = projectPreviewQuery(project.id, triedOf(fields));
      const removals = await cache.fetchQuery({ ...query, staleTime: 0 });
      if (removesAny(removals)) setAsked({ settings: settingsOf(fields), removals });
      else await store(settingsOf(fields));
    },
  });
  return (
    <>
      <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
        <LimitFields form={form} defaults={stored.defaults} readOnly={!mayAdminister} />
        <Preview project={project.id} fields={form.values} />
        {mayAdminister && <ProjectSaveBar project={project.id} form={form} />}
      </form>
      <Confirm
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title="Delete what is beyond these limits?"
        action="Save and delete"
        doing="Saving…"
        run={async () => {
          if (asked) await store(asked.settings);
        }}
      >
        {asked && removalSentence(asked.removals)} They are deleted within minutes. This cannot be undone.
      </Confirm>
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to the limits will be lost.
      </LeaveGuard>
    </>
  );
}

/** What the entered limits would remove. */
function Preview({ project, fields }: { project: number; fields: Fields }) {
  const [tried] = useDebouncedValue(JSON.stringify(triedOf(fields)), 300);
  const preview = useQuery(projectPreviewQuery(project, JSON.parse(tried) as TriedLimits));
  if (preview.error) return <Alarm error={preview.error} what="The preview is not available." />;
  if (preview.data === undefined) return null;
  const removes = removesAny(preview.data);
  return (
    <p className={own.preview} data-removes={removes || undefined} aria-live="polite">
      {removalSentence(preview.data)}
    </p>
  );
}
