import { Modal, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { changeTrigger, createTrigger, refreshAutomate } from "../../api/automation-queries.ts";
import type { Trigger } from "../../api/schema.d.ts";
import { type Form, useForm } from "../../ui/form.ts";
import { required } from "../../ui/rules.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import { Snippet } from "../../ui/Snippet.tsx";
import { NewSecret } from "../../ui/settings/NewSecret.tsx";
import { SecretDialog } from "../../ui/settings/SecretDialog.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { TriggerFields } from "./TriggerFields.tsx";
import { configFor, curlExample, formOf, type Values } from "./trigger-form.ts";
import { configOf, type OwnProvider, providers } from "./words.ts";

interface Props {
  organization: number;
  /** Its id. */
  automation: string;
  /** `null`: a new one; `undefined`: it is closed. */
  trigger: Trigger | null | undefined;
  close: () => void;
}

/** Creates a trigger, then shows the secret of its address; or changes one. */
export function TriggerDialog({ organization, automation, trigger, close }: Props) {
  const given = { organization, automation };
  return (
    <>
      <SecretDialog<Trigger>
        opened={trigger === null}
        close={close}
        title={(made) => (made === undefined ? "New trigger" : "Copy the secret")}
        form={(setMade, leave) => (
          <Editor
            {...given}
            trigger={null}
            cancel={leave}
            saved={(made) => (made.webhook_secret === null ? leave() : setMade(made))}
          />
        )}
        view={(made, leave) => <Inbound trigger={made} close={leave} />}
      />
      <Modal opened={!!trigger} onClose={close} title="Edit trigger" size="lg">
        {trigger && <Editor {...given} trigger={trigger} cancel={close} saved={close} />}
      </Modal>
    </>
  );
}

function Inbound({ trigger, close }: { trigger: Trigger; close: () => void }) {
  const address = trigger.webhookUrl ?? "";
  return (
    <NewSecret
      label="Secret"
      isKept
      secret={trigger.webhook_secret ?? ""}
      lost="The secret cannot be shown again. If you have not copied it, delete the trigger and create another."
      close={close}
    >
      <p className={classes.lead}>
        {trigger.provider === "github" ? (
          <>
            In the repository’s settings on GitHub, add a webhook with this address and secret, and the content type{" "}
            <code>application/json</code>.
          </>
        ) : (
          <>
            Whoever calls signs the body with it: an HMAC-SHA256 in <code>X-Webhook-Signature</code>, or as Standard
            Webhooks say, for which there are libraries.
          </>
        )}
      </p>
      <Snippet label="Address" text={address} />
      {trigger.provider !== "github" && <Snippet label="Call with curl" text={curlExample(address)} />}
    </NewSecret>
  );
}

interface EditorProps {
  organization: number;
  automation: string;
  trigger: Trigger | null;
  saved: (trigger: Trigger) => void;
  cancel: () => void;
}

const choices = Object.entries(providers).map(([value, { label }]) => ({ value, label }));

/** The fields that a refusal of the configuration names otherwise. */
const fieldNames: Record<string, keyof Values & string> = { projectIds: "projects", time_zone: "timezone" };

function Editor({ organization, automation, trigger, saved, cancel }: EditorProps) {
  const cache = useQueryClient();
  const form: Form<Values> = useForm<Values>({
    initialValues: formOf(trigger),
    validate: {
      name: (name) => required(name),
      events: (events, { provider }) =>
        provider === "errors" && events.length === 0 ? "Choose at least one." : undefined,
      happenings: (events, { provider }) =>
        provider === "github" && events.length === 0 ? "Choose at least one." : undefined,
      cron: (cron, { provider }) => (provider === "schedule" ? required(cron, "Enter a schedule.") : undefined),
      phrase: (phrase, { provider }) => (provider === "github" ? required(phrase, "Enter a phrase.") : undefined),
    },
    fieldOf: (error) => {
      const named = /^config\.(\w+)/.exec(error instanceof Error ? error.message : "")?.[1];
      if (named === undefined) return undefined;
      return fieldNames[named] ?? (named in form.values ? named : undefined);
    },
    send: async (values) => {
      const body = { name: values.name.trim(), config: configFor(values, trigger ? configOf(trigger) : {}) };
      const made = trigger
        ? await changeTrigger(organization, automation, trigger.id, body)
        : await createTrigger(organization, automation, { ...body, provider: values.provider });
      await refreshAutomate(cache, organization);
      saved(made);
    },
  });
  const { provider } = form.values;
  return (
    <DialogForm
      form={form}
      cancel={cancel}
      label={trigger ? "Save" : "Create trigger"}
      doing={trigger ? "Saving…" : "Creating…"}
    >
      {trigger === null && (
        <Select
          size="sm"
          label="Comes from"
          description={providers[provider].about}
          data={choices}
          value={provider}
          allowDeselect={false}
          onChange={(chosen) => form.setFieldValue("provider", chosen as OwnProvider)}
        />
      )}
      <TextInput
        {...form.field("name")}
        label="Name"
        maxLength={128}
        placeholder="New errors in production"
        autoComplete="off"
        data-autofocus
      />
      <TriggerFields organization={organization} form={form} />
    </DialogForm>
  );
}
