import { Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type KeyUse, keyNames, createKeyInTab } from "../../first-steps/keys.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { keyNameProblem } from "../../ui/rules.ts";
import classes from "./Start.module.css";

interface Props {
  project: number;
  /** The preselected use. */
  use: KeyUse;
  label: string;
}

/** A button that opens into the form for a new key. */
export function CreateKey({ project, use: wanted, label }: Props) {
  const [state, setState] = useState<"new" | "open" | "closed">("new");
  if (state === "open") return <Form project={project} wanted={wanted} close={() => setState("closed")} />;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => setState("open")} autoFocus={state === "closed"}>
        {label}
      </Button>
    </div>
  );
}

function Form({ project, wanted, close }: { project: number; wanted: KeyUse; close: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { name: keyNames[wanted], use: wanted },
    validate: { name: keyNameProblem },
    send: async ({ name, use }) => {
      await createKeyInTab(cache, project, { name: name.trim(), use });
      close();
    },
  });
  const choose = (value: string) => {
    const next = value === "releases" ? "releases" : "ingest";
    const { name, use } = form.getValues();
    if (name === keyNames[use]) form.setFieldValue("name", keyNames[next]);
    form.setFieldValue("use", next);
  };
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate className={classes.questions}>
      <Stack gap="sm">
        <TextInput
          {...form.field("name")}
          label="Key name"
          maxLength={128}
          autoComplete="off"
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Radio.Group label="What is it for?" value={form.values.use} onChange={choose}>
          <Stack gap="xs" mt="xs">
            <Radio value="ingest" size="xs" label="Browser key: sends events and may be public" />
            <Radio value="releases" size="xs" label="CI key: uploads source maps and is a secret" />
          </Stack>
        </Radio.Group>
        <Alarm error={form.failure} />
        <Group gap="xs">
          <BusyButton type="submit" size="sm" busy={form.busy} label="Create key" doing="Creating…" />
          <Button variant="default" size="sm" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
