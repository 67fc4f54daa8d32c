import { Button, Checkbox, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { isStatus } from "../../../api/error.ts";
import { useMany } from "../../../api/instance.ts";
import { type Account, changePassword, forgotPassword, sessionsQuery, tokensQuery } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useForm } from "../../../ui/form.ts";
import { NewPassword } from "../../../ui/NewPassword.tsx";
import { done } from "../../../ui/notify.tsx";
import { Password } from "../../../ui/Password.tsx";
import { found, passwordProblem } from "../../../ui/rules.ts";
import classes from "../../../ui/settings/Settings.module.css";

/** A new password, or the first one. */
export function PasswordPart({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.part} aria-labelledby="password">
      <h2 id="password">Password</h2>
      {!account.has_password ? (
        <First email={account.email} />
      ) : open ? (
        <Form email={account.email} close={() => setOpen(false)} />
      ) : (
        <div className={classes.spread}>
          <p>Changing it signs you out everywhere else.</p>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change the password
          </Button>
        </div>
      )}
    </section>
  );
}

/** Who came through a provider has none: a link to the mailbox sets one. */
function First({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => forgotPassword(email) });
  const many = useMany();
  if (send.isSuccess) {
    return (
      <p role="status" className={classes.note}>
        <MailCheck aria-hidden />
        <span>
          {send.data.mailed
            ? "A link is on its way to your mailbox. It sets a password, and signs you out everywhere."
            : `This server sends no mail: ask ${many ? "whoever runs it to make you a link with “mayday user reset-link”" : "an administrator of your organization to make you a link, under Members"}.`}
        </span>
      </p>
    );
  }
  return (
    <>
      <div className={classes.spread}>
        <p>You have no password: you sign in through a provider. A link to your mailbox can set one.</p>
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Send me a link
        </Button>
      </div>
      <Alarm error={send.error ?? undefined} />
    </>
  );
}

function Form({ email, close }: { email: string; close: () => void }) {
  const cache = useQueryClient();
  const [values, setValues] = useState({ current: "", next: "" });
  const [endTokens, setEndTokens] = useState(true);
  const form = useForm({
    fields: ["current", "next"] as const,
    check: () =>
      found({
        current: values.current === "" ? "Enter the password that you have now." : undefined,
        next: passwordProblem(values.next),
      }),
    send: async () => {
      await changePassword(values.current, values.next, endTokens);
      void cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void cache.invalidateQueries({ queryKey: meQuery.queryKey });
      void cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
      done(`The password is changed. Your other sessions${endTokens ? " and your tokens" : ""} have ended.`);
      close();
    },
    fieldOf: (error) => (isStatus(error, 403) ? "current" : isStatus(error, 422) ? "next" : undefined),
  });
  const field = (name: "current" | "next") => ({
    name,
    value: values[name],
    error: form.problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      setValues((now) => ({ ...now, [name]: text }));
      form.changed(name);
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.form} noValidate>
      <Stack gap="md">
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Password {...field("current")} label="Password of now" autoComplete="current-password" autoFocus />
        <NewPassword {...field("next")} label="New password" />
        <Checkbox
          label="End my personal tokens as well"
          description="Choose this if somebody else may have known the password. Tools that use a token need a new one."
          checked={endTokens}
          onChange={(event) => setEndTokens(event.currentTarget.checked)}
        />
        <Alarm error={form.failure} />
        <div className={classes.save}>
          <Button type="submit" loading={form.busy}>
            Change the password
          </Button>
          <Button variant="subtle" color="gray" onClick={close}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  );
}
