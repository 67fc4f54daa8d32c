import { Checkbox, JsonInput, NumberInput, PasswordInput, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { changeAlertChannel, refreshAlerts } from "../../../api/alert-queries.ts";
import type { AlertChannel, ShownAlertChannel, UpdateAlertChannel } from "../../../api/schema.d.ts";
import { useRecordForm } from "../../../ui/form.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { SecretDialog } from "../../../ui/settings/SecretDialog.tsx";
import { SigningSecret } from "./SigningSecret.tsx";
import { isJson, kinds } from "./words.ts";

interface Props {
  project: number;
  channel: AlertChannel;
  close: () => void;
}

/** Changes a channel, then shows the secret of a webhook if it has another. */
export function EditChannel({ project, channel, close }: Props) {
  return (
    <SecretDialog<ShownAlertChannel>
      opened
      close={close}
      title={(made) => (made === undefined ? "Edit channel" : "Copy the signing secret")}
      form={(setMade, leave) => (
        <Form
          project={project}
          channel={channel}
          changed={(shown) => (shown.secret === null ? leave() : setMade(shown))}
          cancel={leave}
        />
      )}
      view={(made, leave) => <SigningSecret secret={made.secret ?? ""} close={leave} />}
    />
  );
}

function Form({
  project,
  channel,
  changed,
  cancel,
}: Omit<Props, "close"> & { changed: (channel: ShownAlertChannel) => void; cancel: () => void }) {
  const cache = useQueryClient();
  const { kind } = channel;
  const form = useRecordForm({
    initialValues: {
      name: channel.name,
      issue_quiet_minutes: channel.issue_quiet_minutes as number | string,
      url: "",
      token: "",
      no_token: false,
      template: "",
      rotate_secret: false,
    },
    validate: {
      name: (name) => (name.trim() === "" ? "Enter a name." : undefined),
      issue_quiet_minutes: (given) =>
        Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 10_080
          ? undefined
          : "Use a whole number from 0 to 10,080.",
      url: (url) =>
        url.trim() === "" || /^https?:\/\/./i.test(url.trim())
          ? undefined
          : "Enter an address that begins with https://.",
      template: (text) => (text.trim() !== "" && !isJson(text) ? "This is not JSON." : undefined),
    },
    send: async (values) => {
      const change: UpdateAlertChannel = {
        name: values.name.trim(),
        issue_quiet_minutes: Number(values.issue_quiet_minutes),
        ...(values.url.trim() !== "" && { url: values.url.trim() }),
        ...(values.token !== "" && { token: values.token }),
        ...(values.no_token && { token: null }),
        ...(values.template.trim() !== "" && { template: JSON.parse(values.template) as Record<string, never> }),
        ...(values.rotate_secret && { rotate_secret: true }),
      };
      const shown = await changeAlertChannel(project, channel.id, change);
      await refreshAlerts(cache, project);
      changed(shown);
    },
  });
  const hasToken = kind === "webhook" || kind === "ntfy" || kind === "template";
  return (
    <DialogForm form={form} cancel={cancel} label="Save" doing="Saving…">
      <TextInput {...form.field("name")} label="Name" maxLength={128} data-autofocus />
      <NumberInput
        {...form.field("issue_quiet_minutes")}
        label="Quiet time about an issue, in minutes"
        description="How long it hears nothing of an issue from other rules after a message about it, except that it is back"
        min={0}
        max={10_080}
        allowDecimal={false}
      />
      <TextInput
        {...form.field("url")}
        label="New address (optional)"
        description={`Now at ${channel.host}; the address itself is never shown`}
        placeholder={kinds[kind].url}
        spellCheck={false}
        autoComplete="off"
      />
      {hasToken && (
        <>
          <PasswordInput
            {...form.field("token")}
            label="New token (optional)"
            description="Sent as Authorization: Bearer"
            disabled={form.values.no_token}
            autoComplete="off"
          />
          <Checkbox {...form.field("no_token", { type: "checkbox" })} label="No longer send a token" />
        </>
      )}
      {kind === "template" && (
        <JsonInput
          {...form.field("template")}
          label="New document (optional)"
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
        />
      )}
      {kind === "webhook" && (
        <Checkbox
          {...form.field("rotate_secret", { type: "checkbox" })}
          label="Create another signing secret"
          description="Messages are signed with it from now on"
        />
      )}
    </DialogForm>
  );
}
