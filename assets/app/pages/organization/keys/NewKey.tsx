import { Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createOrganizationKey, organizationKeysQuery } from "../../../api/organization-queries.ts";
import { useForm } from "../../../ui/form.ts";
import { keyNameProblem } from "../../../ui/rules.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { NewSecret } from "../../../ui/settings/NewSecret.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { SecretDialog } from "../../../ui/settings/SecretDialog.tsx";

/** Creates a key, then shows it once. */
export function NewKey({ organization, opened, close }: { organization: number; opened: boolean; close: () => void }) {
  return (
    <SecretDialog<string>
      opened={opened}
      close={close}
      title={(made) => (made ? "Copy your new key" : "New key")}
      form={(setMade, leave) => <Form organization={organization} made={setMade} cancel={leave} />}
      view={(made, leave) => (
        <NewSecret
          label="New key"
          secret={made}
          close={leave}
          lost="The key cannot be shown again. If you have not copied it, you will have to revoke it and create another."
        >
          <p className={classes.lead}>
            Send it as <code>Authorization: Bearer</code>. It can read every project in the organization, and do what
            you allowed it beside that.
          </p>
        </NewSecret>
      )}
    />
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
  const form = useForm({
    initialValues: { name: "", write: false },
    validate: { name: keyNameProblem },
    send: async ({ name, write }) => {
      made((await createOrganizationKey(organization, name.trim(), write ? ["read", "write"] : ["read"])).key);
      void cache.invalidateQueries({ queryKey: organizationKeysQuery(organization).queryKey });
    },
  });
  return (
    <DialogForm form={form} cancel={cancel} label="Create key" doing="Creating…" error={form.failure}>
      <TextInput
        {...form.field("name")}
        label="Name"
        description="Where it is used, so that you know which one to revoke if it leaks"
        autoComplete="off"
        data-autofocus
      />
      <Checkbox
        {...form.getInputProps("write", { type: "checkbox" })}
        label="Write"
        description="Also change automations and repositories, and start sessions of agents"
      />
    </DialogForm>
  );
}
