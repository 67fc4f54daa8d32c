import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createOrganizationKey, organizationKeys } from "../../../api/organization-queries.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useForm } from "../../../ui/form.ts";
import { found, nameProblem } from "../../../ui/rules.ts";
import { Kept } from "../../../ui/settings/Kept.tsx";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";

/** Makes a key, then shows it once. */
export function NewKey({ organization, opened, close }: { organization: number; opened: boolean; close: () => void }) {
  const [made, setMade] = useState<string>();
  const leave = () => {
    setMade(undefined);
    close();
  };
  const guard = made ? { closeOnEscape: false, closeOnClickOutside: false, withCloseButton: false } : {};
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={made ? "Keep this key" : "New key"}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      {...guard}
    >
      {made ? (
        <Kept
          label="the new key"
          secret={made}
          close={leave}
          lost="The key cannot be shown again. If it was not copied, it has to be revoked and another made."
        >
          <p className={classes.lead}>
            It is sent as Authorization: Bearer, and reads all projects of the organization.
          </p>
        </Kept>
      ) : (
        <Form organization={organization} made={setMade} cancel={leave} />
      )}
    </Modal>
  );
}

function Form({
  organization,
  made,
  cancel,
}: {
  organization: number;
  made: (key: string) => void;
  cancel: () => void;
}) {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const form = useForm({
    fields: ["name"] as const,
    check: () =>
      found({ name: name.trim() === "" ? "Enter a name, so that you know it again." : nameProblem(name.trim()) }),
    send: async () => {
      made((await createOrganizationKey(organization, name.trim())).key);
      void cache.invalidateQueries({ queryKey: organizationKeys.keys(organization) });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={keyClasses.kept} noValidate>
      <TextInput
        name="name"
        label="Name"
        description="Where it will be used, so that it can be revoked when it leaks"
        value={name}
        error={form.problems.name}
        autoComplete="off"
        data-autofocus
        onChange={(event) => {
          setName(event.currentTarget.value);
          form.changed("name");
        }}
      />
      <Alarm error={form.failure} />
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.busy}>
          Make the key
        </Button>
      </Group>
    </form>
  );
}
