import { Button, Modal, Stack, TextInput } from "@mantine/core";
import { MailCheck, MailQuestion } from "lucide-react";
import { useState } from "react";
import { isStatus } from "../../../api/error.ts";
import { type Account, changeEmail } from "../../../api/people.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useForm } from "../../../ui/form.ts";
import { Password } from "../../../ui/Password.tsx";
import { emailProblem, found } from "../../../ui/rules.ts";
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
                ? "An invitation, a link or a provider has shown that this address is yours"
                : "Nothing has shown yet that this address is yours"
            }
          >
            <Icon aria-hidden /> {account.email_proven ? "proven" : "not proven yet"}
          </span>
        </div>
        {account.has_password && (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change the address
          </Button>
        )}
      </div>
      {!account.has_password && <p className={classes.lead}>Changing it takes a password, and you have none yet.</p>}
      {sentTo !== undefined && (
        <p role="status" className={classes.note}>
          <MailQuestion aria-hidden />
          <span>
            A link is on its way to <bdi>{oneLine(sentTo)}</bdi>. The address changes when it is opened; until then
            everything stays as it is.
          </span>
        </p>
      )}
      <Modal
        opened={changing}
        onClose={() => setChanging(false)}
        title="Change the e-mail address"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Form
          sent={(email) => {
            setSentTo(email);
            setChanging(false);
          }}
        />
      </Modal>
    </section>
  );
}

function Form({ sent }: { sent: (email: string) => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const form = useForm({
    fields: ["email", "password"] as const,
    check: () =>
      found({ email: emailProblem(email.trim()), password: password === "" ? "Enter your password." : undefined }),
    send: async () => {
      await changeEmail(email.trim(), password);
      sent(email.trim());
    },
    fieldOf: (error) => (isStatus(error, 403) ? "password" : undefined),
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          name="email"
          label="New address"
          description="A link goes there; the address changes when you open it."
          type="email"
          autoComplete="email"
          value={email}
          error={form.problems.email}
          data-autofocus
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            form.changed("email");
          }}
        />
        <Password
          name="password"
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={form.problems.password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            form.changed("password");
          }}
        />
        <Alarm error={form.failure} />
        <Button type="submit" size="sm" loading={form.busy}>
          Send the link
        </Button>
      </Stack>
    </form>
  );
}
