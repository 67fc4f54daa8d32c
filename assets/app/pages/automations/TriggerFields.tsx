import { Autocomplete, Checkbox, MultiSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../api/queries.ts";
import { ViewField } from "../../issue-search/ViewField.tsx";
import type { Form } from "../../ui/form.ts";
import keyClasses from "../../ui/settings/Keys.module.css";
import classes from "../../ui/settings/Settings.module.css";
import { Tags } from "../../ui/Tags.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NextRuns } from "./NextRuns.tsx";
import type { Values } from "./trigger-form.ts";
import { githubEvents, issueEvents } from "./words.ts";

interface Props {
  organization: number;
  form: Form<Values>;
}

/** The fields of a trigger, by provider. */
export function TriggerFields({ organization, form }: Props) {
  switch (form.values.provider) {
    case "errors":
      return <IssueFields organization={organization} form={form} />;
    case "schedule":
      return <ScheduleFields organization={organization} form={form} />;
    case "github":
      return <GithubFields form={form} />;
    case "webhook":
      return <p className={classes.lead}>It gets an address and a secret, which are shown once it is created.</p>;
  }
}

const levels = ["fatal", "error", "warning", "info", "debug"];

function IssueFields({ organization, form }: Props) {
  const projects = useQuery(projectsQuery).data?.filter((each) => each.organization.id === organization) ?? [];
  const [only, ...others] = form.values.projects;
  return (
    <>
      <Choices form={form} field="events" label="When an issue" words={issueEvents} />
      <MultiSelect
        {...form.field("projects")}
        label="Projects (optional)"
        description="Leave it empty for all of them; with one alone, a view of its issues can be chosen"
        data={projects.map(({ id, name }) => ({ value: String(id), label: oneLine(name) }))}
        onChange={(chosen) => {
          form.setFieldValue("projects", chosen);
          form.setFieldValue("viewId", "");
        }}
      />
      <MultiSelect {...form.field("levels")} label="Levels (optional)" data={levels} />
      <Tags {...form.field("environments")} label="Environments (optional)" placeholder="production" />
      <TextInput
        {...form.field("query")}
        label="Query (optional)"
        description="As in the list of issues"
        placeholder="checkout -assignee:none"
        spellCheck={false}
      />
      {only !== undefined && others.length === 0 && <ViewField {...form.field("viewId")} project={Number(only)} />}
    </>
  );
}

/** All time zones that the browser knows. */
const zones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

function ScheduleFields({ organization, form }: Props) {
  const { cron, timezone } = form.values;
  return (
    <>
      <TextInput
        {...form.field("cron")}
        label="Schedule"
        description="Minute, hour, day of the month, month, day of the week"
        spellCheck={false}
        autoComplete="off"
      />
      <Autocomplete {...form.field("timezone")} label="Time zone" data={zones()} limit={50} spellCheck={false} />
      <NextRuns organization={organization} cron={cron} timezone={timezone} />
    </>
  );
}

function GithubFields({ form }: Pick<Props, "form">) {
  return (
    <>
      <Choices form={form} field="happenings" label="When" words={githubEvents} />
      {form.values.happenings.includes("issue_comment") && (
        <TextInput {...form.field("phrase")} label="Phrase" maxLength={200} spellCheck={false} />
      )}
      <Tags {...form.field("branches")} label="Branches (optional)" placeholder="main" />
      <Tags {...form.field("repositories")} label="Repositories (optional)" placeholder="acme/shop" />
    </>
  );
}

interface ChoicesProps {
  form: Form<Values>;
  field: "events" | "happenings";
  label: string;
  words: Record<string, string>;
}

function Choices({ form, field, label, words }: ChoicesProps) {
  return (
    <Checkbox.Group {...form.getInputProps(field)} label={label}>
      <div className={keyClasses.choices}>
        {Object.entries(words).map(([value, each]) => (
          <Checkbox key={value} value={value} label={each} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
