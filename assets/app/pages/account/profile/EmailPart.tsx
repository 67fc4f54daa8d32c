import { Button, Modal, TextInput } from "@mantine/core";
import { MailCheck, MailQuestion } from "lucide-react";
import { useState } from "react";
import { isStatus } from "../../../api/error.ts";
import { type Account, changeEmail } from "../../../api/people.ts";
import { useForm } from "../../../ui/form.ts";
import { Password } from "../../../ui/Password.tsx";
import { emailProblem, passwordMissing } from "../../../ui/rules.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { Line } from "../../../ui/Text.tsx";
import { oneLine } from "../../../ui/visible.ts";
import classes from "../../../ui/settings/Settings.module.css";
import own from "../Account.module.css";

/** The address that somebody signs in with. */
export function EmailPart({ account }: { account: Account }) {
  const [changing, setChanging] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const Icon = account.email_proven ? MailCheck : MailQuestion;
  return (
    <section className={classes.part} aria-labelledby="email">
      <h2 id="email">E-mail</h2>
      <div className={classes.spread}>
        <div className={own.fact}>
          <Line text={account.email} />
          <span
            className={own.state}
            title={
              account.email_proven
                ? "An invitation, a link or a provider has confirmed that this address is yours"
                : "Nothing has confirmed yet that this address is yours"
            }
          >
            <Icon aria-hidden /> {account.email_proven ? "confirmed" : "not confirmed"}
          </span>
        </div>
        {account.has_password && (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change e-mail address…
          </Button>
        )}
      </div>
      {!account.has_password && <p className={classes.lead}>To change it, set a password first.</p>}
      {sentTo !== undefined && (
        <p role="status" className={classes.note}>
          <MailQuestion aria-hidden />
          <span>
            We sent a link to <bdi>{oneLine(sentTo)}</bdi>. Open it to change your address; until then, nothing changes.
          </span>
        </p>
      )}
      <Modal opened={changing} onClose={() => setChanging(false)} title="Change e-mail address">
        <Form
          cancel={() => setChanging(false)}
          sent={(email) => {
            setSentTo(email);
            setChanging(false);
          }}
        />
      </Modal>
    </section>
  );
}

function Form({ cancel, sent }: { cancel: () => void; sent: (email: string) => void }) {
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: { email: (email) => emailProblem(email.trim()), password: passwordMissing },
    send: async ({ email, password }) => {
      await changeEmail(email.trim(), password);
      sent(email.trim());
    },
    fieldOf: (error) => (isStatus(error, 403) ? "password" : undefined),
  });
  return (
    <DialogForm form={form} cancel={cancel} label="Send link" doing="Sending…" error={form.failure}>
      <TextInput
        {...form.field("email")}
        label="New e-mail address"
        description="We send a link to it. The address changes when you open the link."
        type="email"
        autoComplete="email"
        data-autofocus
      />
      <Password {...form.field("password")} label="Your password" autoComplete="current-password" />
    </DialogForm>
  );
}
