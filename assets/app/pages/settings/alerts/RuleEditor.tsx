import { Button, Group, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeAlertRule, createAlertRule, previewAlertRule, refreshAlerts } from "../../../api/alert-queries.ts";
import type { AlertChannel, AlertPreview, AlertRule } from "../../../api/schema.d.ts";
import { ViewField } from "../../../issue-search/ViewField.tsx";
import { useRecordForm } from "../../../ui/form.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { refusal } from "../../../ui/settings/refusal.ts";
import { Tags } from "../../../ui/Tags.tsx";
import { type ConditionType, conditions, newRule, previewWords, ruleForm, tagsProblem } from "./words.ts";

interface Props {
  project: number;
  channels: AlertChannel[];
  /** `undefined` for a new rule. */
  rule: AlertRule | undefined;
  close: () => void;
}

const types = Object.entries(conditions).map(([value, label]) => ({ value, label }));
const levels = ["fatal", "error", "warning", "info", "debug"];
const whole = (min: number, max: number) => (given: number | string) =>
  Number.isInteger(given) && Number(given) >= min && Number(given) <= max
    ? undefined
    : `Use a whole number from ${min} to ${max}.`;

/** Creates or changes a rule, with a preview of how often it would have fired. */
export function RuleEditor({ project, channels, rule, close }: Props) {
  const cache = useQueryClient();
  const [preview, setPreview] = useState<AlertPreview>();
  const [failure, setFailure] = useState<unknown>();
  const form = useRecordForm({
    initialValues: ruleForm(rule),
    validate: {
      name: (name) => (name.trim() === "" ? "Enter a name." : undefined),
      tags: tagsProblem,
      search: (search, { type }) => (type === "logs" && search.trim() === "" ? "Enter a search." : undefined),
      count: whole(0, 10_000),
      minutes: whole(1, 1_440),
      users: (given, { type }) => (type === "events" && given !== "" ? whole(0, 10_000)(given) : undefined),
      quiet: whole(1, 10_080),
    },
    send: async (values) => {
      const body = newRule(values, rule);
      await (rule ? changeAlertRule(project, rule.id, body) : createAlertRule(project, body));
      await refreshAlerts(cache, project);
      close();
    },
  });
  const { type } = form.values;
  const counts = type === "events" || type === "logs";
  const look = async () => {
    setPreview(undefined);
    setFailure(undefined);
    try {
      const values = { ...form.values, name: form.values.name || "Preview" };
      setPreview(await previewAlertRule(project, newRule(values, rule)));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <DialogForm
      form={form}
      cancel={close}
      label={rule ? "Save" : "Create rule"}
      doing={rule ? "Saving…" : "Creating…"}
      error={(form.failure || failure) && refusal(form.failure ?? failure)}
      before={
        <Button variant="default" onClick={() => void look()}>
          Preview
        </Button>
      }
    >
      <TextInput {...form.field("name")} label="Name" maxLength={128} placeholder="New errors" data-autofocus />
      <Select
        {...form.field("type")}
        size="sm"
        label="When"
        data={types}
        allowDeselect={false}
        onChange={(chosen) => form.setFieldValue("type", chosen as ConditionType)}
      />
      {type === "logs" && (
        <TextInput
          {...form.field("search")}
          label="Search"
          description="As in the list of logs"
          placeholder="level:error payment"
          spellCheck={false}
        />
      )}
      {counts && (
        <Group grow align="start">
          <NumberInput {...form.field("count")} label="More than" min={0} max={10_000} allowDecimal={false} />
          <NumberInput {...form.field("minutes")} label="Within, in minutes" min={1} max={1_440} allowDecimal={false} />
        </Group>
      )}
      {type === "events" && (
        <NumberInput
          {...form.field("users")}
          label="And more than so many people (optional)"
          min={0}
          max={10_000}
          allowDecimal={false}
        />
      )}
      {type !== "logs" && (
        <>
          <Tags {...form.field("environments")} label="Environments (optional)" placeholder="production" />
          <MultiSelect {...form.field("levels")} label="Levels (optional)" data={levels} />
          <Tags {...form.field("releases")} label="Releases (optional)" placeholder="1.4.0" />
          <Tags
            {...form.field("tags")}
            label="Tags (optional)"
            description="All of them, each as key:value"
            placeholder="tier:1"
          />
          <TextInput
            {...form.field("query")}
            label="Query (optional)"
            description="As in the list of issues"
            placeholder="checkout -assignee:none"
            spellCheck={false}
          />
          <ViewField {...form.field("view_id")} project={project} />
        </>
      )}
      <MultiSelect
        {...form.field("channels")}
        label="Channels"
        data={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
        placeholder={channels.length === 0 ? "Create a channel first" : ""}
      />
      <NumberInput
        {...form.field("quiet")}
        label="Quiet time, in minutes"
        description="How long it says nothing more about the same issue"
        min={1}
        max={10_080}
        allowDecimal={false}
      />
      <p role="status">{preview && previewWords(preview)}</p>
    </DialogForm>
  );
}
