import { Autocomplete, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changeAutomation, prebuildsQuery, refreshAutomate } from "../../api/automation-queries.ts";
import type { AutomationWithTriggers } from "../../api/schema.d.ts";
import { CapFields } from "../../ui/CapFields.tsx";
import { capFaults } from "../../ui/caps.ts";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { done } from "../../ui/notify.ts";
import { required } from "../../ui/rules.ts";
import { SaveBar } from "../../ui/settings/SaveBar.tsx";
import settings from "../../ui/settings/Settings.module.css";
import { refusal } from "../../ui/settings/refusal.ts";
import { Tags } from "../../ui/Tags.tsx";
import { oneLine } from "../../ui/visible.ts";
import classes from "./Automations.module.css";
import { fieldsOf, formOf, type Values } from "./automation-form.ts";
import { agents } from "./words.ts";

interface Props {
  organization: number;
  automation: AutomationWithTriggers;
  may: boolean;
}

const optional = (min: number, max: number) => (given: number | string) =>
  given === "" || (Number.isInteger(given) && Number(given) >= min && Number(given) <= max)
    ? undefined
    : `Use a whole number from ${min} to ${max.toLocaleString("en")}, or nothing.`;

/** The form of an automation: its instructions, repository and limits. */
export function AutomationForm({ organization, automation, may }: Props) {
  const cache = useQueryClient();
  const form = useRecordForm<Values>({
    initialValues: formOf(automation),
    validate: {
      name: (name) => required(name),
      agentType: (agent) => required(agent, "Enter an agent."),
      timeLimit: (minutes) =>
        Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= 1_440
          ? undefined
          : "Use a whole number from 1 to 1,440.",
      ...capFaults,
      maxRunsPerHour: optional(1, 1_000),
      cooldown: optional(1, 43_200),
      minEvents: optional(1, 1_000_000),
      seenWithin: optional(1, 365),
      monthlyMinutes: optional(1, 5_000_000),
      monthlyBudget: (usd) => (usd === "" || Number(usd) > 0 ? undefined : "Use an amount over 0, or nothing."),
    },
    send: async (values) => {
      const saved = await changeAutomation(organization, automation.id, fieldsOf(values));
      form.setValues(formOf(saved));
      form.resetDirty(formOf(saved));
      await refreshAutomate(cache, organization);
      done("Saved");
    },
  });
  const given = { form, readOnly: !may };
  return (
    <form ref={form.ref} className={`${classes.work} ${settings.fields}`} onSubmit={form.onSubmit} noValidate>
      <TextInput {...form.field("name")} label="Name" maxLength={128} readOnly={!may} />
      <TextInput {...form.field("description")} label="Description (optional)" maxLength={2_000} readOnly={!may} />
      <Textarea
        {...form.field("instructions")}
        label="Instructions"
        description="What the agent is asked to do. It also gets what Mayday knows of the issue, in files"
        autosize
        minRows={8}
        maxRows={24}
        readOnly={!may}
      />
      <Work {...given} organization={organization} />
      <Gates {...given} />
      {may && <SaveBar form={form} problem={form.failure && refusal(form.failure)} />}
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to the automation will be lost.
      </LeaveGuard>
    </form>
  );
}

interface PartProps {
  form: ReturnType<typeof useRecordForm<Values>>;
  readOnly: boolean;
}

/** Which agent works, and where. */
function Work({ form, readOnly, organization }: PartProps & { organization: number }) {
  const prebuilds = useQuery(prebuildsQuery(organization)).data ?? [];
  return (
    <fieldset className={classes.set}>
      <legend>Agent</legend>
      <div className={classes.pair}>
        <Autocomplete
          {...form.field("agentType")}
          label="Agent"
          description="As its runner calls it"
          data={agents}
          maxLength={64}
          readOnly={readOnly}
          spellCheck={false}
        />
        <TextInput
          {...form.field("modelId")}
          label="Model (optional)"
          description="Leave it empty for the agent’s own"
          maxLength={128}
          readOnly={readOnly}
          spellCheck={false}
        />
      </div>
      <div className={classes.pair}>
        <Select
          {...form.field("prebuild")}
          size="sm"
          label="Repository"
          description="Those that a runner has a mirror of"
          data={[
            { value: "", label: "The project’s own" },
            ...prebuilds.map(({ id, name }) => ({ value: id, label: oneLine(name) })),
          ]}
          allowDeselect={false}
          readOnly={readOnly}
        />
        <NumberInput
          {...form.field("timeLimit")}
          label="Time limit, in minutes"
          description="Then the agent is stopped"
          min={1}
          max={1_440}
          allowDecimal={false}
          readOnly={readOnly}
        />
        <CapFields field={form.field} readOnly={readOnly} />
      </div>
      <Switch
        {...form.getInputProps("mayChoose", { type: "checkbox" })}
        label="The agent may choose the repository"
        description="From all of the organization, if neither this automation nor the project names one"
        disabled={readOnly}
      />
      <Switch
        {...form.getInputProps("mayPush", { type: "checkbox" })}
        label="May push and open pull requests"
        description="Without this, only sessions that somebody starts by hand may. All others read, and what they would change is kept as a patch: anybody who reads the key in your page can send an error, and so write to the agent"
        disabled={readOnly}
      />
      <Tags
        {...form.field("labels")}
        label="Labels (optional)"
        description="Only a runner that has all of them takes its sessions"
        readOnly={readOnly}
      />
    </fieldset>
  );
}

/** The gates of an automation. */
function Gates({ form, readOnly }: PartProps) {
  const count = (name: keyof Values & string, label: string, description: string) => (
    <NumberInput
      {...form.field(name)}
      label={label}
      description={description}
      min={1}
      allowDecimal={false}
      readOnly={readOnly}
    />
  );
  return (
    <fieldset className={classes.set}>
      <legend>Limits</legend>
      <p className="muted">Leave a field empty for no limit. Runs by hand are held only to the limits of the month.</p>
      <Switch
        {...form.getInputProps("onePerIssue", { type: "checkbox" })}
        label="One session at a time about an issue"
        disabled={readOnly}
      />
      <div className={classes.pair}>
        {count("maxRunsPerHour", "Sessions in an hour", "At most")}
        {count("cooldown", "Cool-down, in minutes", "None about the same issue for this long")}
        {count("minEvents", "Events of the issue", "At least")}
        {count("seenWithin", "Seen within, in days", "Only issues with an event since then")}
        {count("monthlyMinutes", "Minutes in a month", "For all of its sessions, at most")}
        <NumberInput
          {...form.field("monthlyBudget")}
          label="US dollars in a month"
          description="As far as agents say what they cost"
          min={0}
          decimalScale={2}
          prefix="$"
          readOnly={readOnly}
        />
      </div>
    </fieldset>
  );
}
