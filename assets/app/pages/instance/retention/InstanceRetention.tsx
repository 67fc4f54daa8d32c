import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InstanceRetention as Retention, RetentionPolicy } from "../../../api/schema.d.ts";
import { instancePreviewQuery, instanceRetentionQuery } from "../../../api/usage-queries.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { useForm } from "../../../ui/form.ts";
import { LimitFields } from "../../../ui/retention/LimitFields.tsx";
import {
  environmentOf,
  type Fields,
  fieldNames,
  fieldsOf,
  limitWords,
  problemOf,
  triedOf,
} from "../../../ui/retention/limits.ts";
import settings from "../../../ui/settings/Settings.module.css";
import { Snippet } from "../../../ui/Snippet.tsx";
import { Answer } from "../../../ui/States.tsx";
import { OnlyOperators } from "../OnlyOperators.tsx";
import { RetentionTable } from "./RetentionTable.tsx";

/** The retention of each project, and a dry run of other limits. */
export function InstanceRetention() {
  const stored = useQuery(instanceRetentionQuery);
  return (
    <>
      <h2>Retention</h2>
      <p className={settings.lead}>
        Events, log entries and session replays are kept until somebody deletes them, unless there is a limit. Limits
        for all projects are set in the server's environment and take effect when it restarts. Each project's settings
        can override them. Source maps stay with their release.
      </p>
      <OnlyOperators error={stored.error}>
        <Answer query={stored} what="The limits" bones={<TableBones rows={4} columns={3} />}>
          {(found) => <RetentionLimits stored={found} />}
        </Answer>
      </OnlyOperators>
    </>
  );
}

function RetentionLimits({ stored }: { stored: Retention }) {
  const [tried, setTried] = useState<Fields>();
  return (
    <>
      <Defaults defaults={stored.defaults} />
      <RetentionTable projects={stored.projects} label="By project" />
      <Try defaults={stored.defaults} show={setTried} />
      {tried && <Tried fields={tried} />}
    </>
  );
}

function Defaults({ defaults }: { defaults: RetentionPolicy }) {
  return (
    <dl className={settings.facts}>
      <dt>Events kept</dt>
      <dd>{limitWords(defaults.events)}</dd>
      <dt>Log entries kept</dt>
      <dd>{limitWords(defaults.logs)}</dd>
      <dt>Session replays kept</dt>
      <dd>{limitWords(defaults.replays)}</dd>
    </dl>
  );
}

/** Enters limits that are not in force. */
function Try({ defaults, show }: { defaults: RetentionPolicy; show: (fields: Fields) => void }) {
  const form = useForm<Fields>({
    initialValues: fieldsOf(undefined),
    validate: Object.fromEntries(fieldNames.map((field) => [field, (text: string) => problemOf(field, text)])),
    send: async (fields) => show(fields),
  });
  return (
    <section className={settings.part} aria-labelledby="retention-try">
      <h3 id="retention-try">Dry run</h3>
      <p className={settings.lead}>
        See what other limits for all projects would remove. Nothing is changed. Leave a field empty to keep the current
        limit; 0 means unlimited.
      </p>
      <form ref={form.ref} className={settings.form} onSubmit={form.onSubmit} noValidate>
        <LimitFields form={form} defaults={defaults} />
        <div>
          <Button type="submit" variant="default">
            Preview
          </Button>
        </div>
      </form>
    </section>
  );
}

function Tried({ fields }: { fields: Fields }) {
  const preview = useQuery(instancePreviewQuery(triedOf(fields)));
  const lines = environmentOf(fields);
  return (
    <Answer query={preview} what="The preview" bones={<TableBones rows={3} columns={3} />}>
      {(found) => (
        <>
          <RetentionTable projects={found.projects} label="With these limits" />
          {lines !== "" && (
            <>
              <p className={settings.lead}>To set them, add these lines to the server's environment and restart it:</p>
              <Snippet text={lines} label="environment" />
            </>
          )}
        </>
      )}
    </Answer>
  );
}
