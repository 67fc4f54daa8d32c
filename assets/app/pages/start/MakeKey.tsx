import { Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { type KeyUse, keyNames, makeKey } from "./keys.ts";
import classes from "./Start.module.css";

const fields = ["name"] as const;

interface Props {
  project: number;
  /** Chosen at first. */
  use: KeyUse;
  label: string;
}

/** A button that opens into the few questions of a new key. */
export function MakeKey({ project, use: wanted, label }: Props) {
  const [state, setState] = useState<"new" | "open" | "closed">("new");
  if (state === "open") return <Questions project={project} wanted={wanted} close={() => setState("closed")} />;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => setState("open")} autoFocus={state === "closed"}>
        {label}
      </Button>
    </div>
  );
}

function Questions({ project, wanted, close }: { project: number; wanted: KeyUse; close: () => void }) {
  const cache = useQueryClient();
  const [use, setUse] = useState(wanted);
  const [name, setName] = useState(keyNames[wanted]);
  const form = useForm({
    fields,
    check: () => (name.trim() === "" ? { name: "Enter a name, so that you know it again." } : {}),
    send: async () => {
      await makeKey(cache, project, { name: name.trim(), use });
      close();
    },
  });
  const choose = (value: string) => {
    const next = value === "releases" ? "releases" : "ingest";
    if (name === keyNames[use]) setName(keyNames[next]);
    setUse(next);
  };
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate className={classes.questions}>
      <Stack gap="sm">
        <TextInput
          label="Name of the key"
          value={name}
          error={form.problems.name}
          maxLength={128}
          autoComplete="off"
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setName(event.currentTarget.value);
            form.changed("name");
          }}
        />
        <Radio.Group label="What is it for?" value={use} onChange={choose}>
          <Stack gap="xs" mt="xs">
            <Radio value="ingest" size="xs" label="Browser key: sends events, and may stand in public" />
            <Radio value="releases" size="xs" label="CI key: uploads source maps, and is a secret" />
          </Stack>
        </Radio.Group>
        <Alarm error={form.failure} />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={form.busy}>
            Make the key
          </Button>
          <Button variant="default" size="sm" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
