import { JsonInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createAlertChannel, refreshAlerts } from "../../../api/alert-queries.ts";
import type { AlertChannelKind, ShownAlertChannel } from "../../../api/schema.d.ts";
import { useForm } from "../../../ui/form.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { SecretDialog } from "../../../ui/settings/SecretDialog.tsx";
import { SigningSecret } from "./SigningSecret.tsx";
import { isJson, kinds } from "./words.ts";

interface Props {
  project: number;
  opened: boolean;
  close: () => void;
}

const names = Object.entries(kinds).map(([value, { label }]) => ({ value, label }));
const example = `{
  "text": "{{title}}",
  "link": "{{url}}"
}`;

/** Creates a channel, then shows the secret of a webhook. */
export function NewChannel({ project, opened, close }: Props) {
  return (
    <SecretDialog<ShownAlertChannel>
      opened={opened}
      close={close}
      title={(made) => (made === undefined ? "New channel" : "Copy the signing secret")}
      form={(setMade, leave) => (
        <Form
          project={project}
          made={(channel) => (channel.secret === null ? leave() : setMade(channel))}
          cancel={leave}
        />
      )}
      view={(made, leave) => <SigningSecret secret={made.secret ?? ""} close={leave} />}
    />
  );
}

function Form({
  project,
  made,
  cancel,
}: {
  project: number;
  made: (channel: ShownAlertChannel) => void;
  cancel: () => void;
}) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { name: "", kind: "webhook" as AlertChannelKind, url: "", token: "", template: example },
    validate: {
      name: (name: string) => (name.trim() === "" ? "Enter a name." : undefined),
      url: (url: string) =>
        /^https?:\/\/./i.test(url.trim()) ? undefined : "Enter an address that begins with https://.",
      template: (text: string, { kind }) => (kind === "template" && !isJson(text) ? "This is not JSON." : undefined),
    },
    send: async ({ name, kind, url, token, template }) => {
      const channel = await createAlertChannel(project, {
        name: name.trim(),
        kind,
        url: url.trim(),
        ...(token !== "" && { token }),
        ...(kind === "template" && { template: JSON.parse(template) as Record<string, never> }),
      });
      await refreshAlerts(cache, project);
      made(channel);
    },
  });
  const { kind } = form.values;
  return (
    <DialogForm form={form} cancel={cancel} label="Create channel" doing="Creating…">
      <Select
        {...form.field("kind")}
        size="sm"
        label="Kind"
        description={kinds[kind].about}
        data={names}
        allowDeselect={false}
        comboboxProps={{ withinPortal: true }}
      />
      <TextInput {...form.field("name")} label="Name" maxLength={128} placeholder="#errors" data-autofocus />
      <TextInput
        {...form.field("url")}
        label="URL"
        description="Stored encrypted; afterwards only its host is shown"
        placeholder={kinds[kind].url}
        spellCheck={false}
        autoComplete="off"
      />
      {(kind === "webhook" || kind === "ntfy" || kind === "template") && (
        <PasswordInput
          {...form.field("token")}
          label="Token (optional)"
          description="Sent as Authorization: Bearer"
          autoComplete="off"
        />
      )}
      {kind === "template" && (
        <JsonInput
          {...form.field("template")}
          label="Document"
          description="{{title}}, {{text}}, {{url}}, {{rule}}, {{project}}, {{kind}}, {{short_id}}, {{culprit}}, {{event_count}}, {{user_count}}, {{stack}}, {{logs}} and {{time}} are filled in"
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
        />
      )}
    </DialogForm>
  );
}
