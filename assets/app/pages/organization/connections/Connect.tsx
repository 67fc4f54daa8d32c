import { Modal, PasswordInput, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createConnection, refreshConnections } from "../../../api/connection-queries.ts";
import { useForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { kindNames, tokens } from "./words.ts";

interface Props {
  organization: number;
  opened: boolean;
  close: () => void;
}

const kinds = (["gitlab", "gitea", "linear", "jira", "slack"] as const).map((value) => ({
  value,
  label: kindNames[value],
}));
type Kind = (typeof kinds)[number]["value"];

/** Services without a default address, and an example of an address. */
const homes: Partial<Record<Kind, string>> = { jira: "https://acme.atlassian.net", gitea: "https://codeberg.org" };

/** Connects a code host, a tracker or a chat by a token. */
export function Connect({ organization, opened, close }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Connect a service" size="lg">
      <Form organization={organization} close={close} />
    </Modal>
  );
}

function Form({ organization, close }: Omit<Props, "opened">) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { kind: "linear" as Kind, name: "", token: "", url: "", email: "" },
    validate: {
      token: (token: string) => (token.trim() === "" ? "Enter the token." : undefined),
      url: (url: string, { kind }) =>
        !(kind in homes) || /^https?:\/\/./i.test(url.trim())
          ? undefined
          : `Enter its address, such as ${homes[kind]}.`,
      email: (email: string, { kind }) =>
        kind === "jira" && email.trim() !== "" && !email.includes("@") ? "This is not an e-mail address." : undefined,
    },
    send: async ({ kind, name, token, url, email }) => {
      const made = await createConnection(organization, {
        kind,
        display_name: name.trim() || kindNames[kind],
        token: token.trim(),
        ...(url.trim() !== "" && { url: url.trim() }),
        ...(kind === "jira" && email.trim() !== "" && { email: email.trim() }),
      });
      await refreshConnections(cache, organization);
      done(`Connected to ${made.account}`);
      close();
    },
  });
  const { kind } = form.values;
  return (
    <DialogForm form={form} cancel={close} label="Connect" doing="Connecting…">
      <Select {...form.field("kind")} size="sm" label="Service" data={kinds} allowDeselect={false} data-autofocus />
      <TextInput
        {...form.field("name")}
        label="Name (optional)"
        placeholder={kindNames[kind]}
        maxLength={128}
        autoComplete="off"
      />
      {kind in homes && (
        <TextInput
          {...form.field("url")}
          label="Address"
          placeholder={homes[kind]}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {kind === "jira" && (
        <TextInput
          {...form.field("email")}
          label="E-mail of the account (in the cloud)"
          description="Leave it empty for a server of your own"
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <PasswordInput
        {...form.field("token")}
        label={tokens[kind].label}
        description={`${tokens[kind].about} Stored encrypted, and never shown.`}
        autoComplete="off"
      />
      {!(kind in homes) && (
        <TextInput
          {...form.field("url")}
          label="Address (optional)"
          description="Only for a compatible service of your own"
          placeholder="https://"
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </DialogForm>
  );
}
