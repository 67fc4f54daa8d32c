import { Button, Checkbox, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { isStatus } from "../../../api/error.ts";
import { useMany } from "../../../api/instance.ts";
import { type Account, changePassword, forgotPassword, sessionsQuery, tokensQuery } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { useForm } from "../../../ui/form.ts";
import { NewPassword } from "../../../ui/NewPassword.tsx";
import { done } from "../../../ui/notify.ts";
import { Password } from "../../../ui/Password.tsx";
import { passwordMissing, passwordProblem } from "../../../ui/rules.ts";
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
          <p>Changing your password signs you out everywhere else.</p>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change password
          </Button>
        </div>
      )}
    </section>
  );
}

/** For people who joined through a provider and have no password: sends a link to set one. */
function First({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => forgotPassword(email) });
  const many = useMany();
  if (send.isSuccess) {
    return (
      <p role="status" className={classes.note}>
        <MailCheck aria-hidden />
        <span>
          {send.data.mailed
            ? "We sent you a link to set a password. Setting it signs you out everywhere."
            : `This server does not send mail. Ask ${many ? "its administrator to create a link for you with “mayday user reset-link”" : "an administrator of your organization to create a password link for you under Members"}.`}
        </span>
      </p>
    );
  }
  return (
    <>
      <div className={classes.spread}>
        <p>You sign in through a provider and have no password. We can send you a link to set one.</p>
        <BusyButton
          variant="default"
          busy={send.isPending}
          label="Send link"
          doing="Sending…"
          onClick={() => send.isPending || send.mutate()}
        />
      </div>
      <Alarm error={send.error ?? undefined} />
    </>
  );
}

function Form({ email, close }: { email: string; close: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { current: "", next: "", endTokens: true },
    validate: { current: passwordMissing, next: passwordProblem },
    send: async ({ current, next, endTokens }) => {
      await changePassword(current, next, endTokens);
      for (const { queryKey } of [sessionsQuery, meQuery, tokensQuery]) void cache.invalidateQueries({ queryKey });
      done(
        `Password changed. You are signed out everywhere else${endTokens ? ", and your access tokens are revoked" : ""}.`,
      );
      close();
    },
    fieldOf: (error) => (isStatus(error, 403) ? "current" : isStatus(error, 422) ? "next" : undefined),
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.form} noValidate>
      <Stack gap="md">
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Password {...form.field("current")} label="Current password" autoComplete="current-password" autoFocus />
        <NewPassword {...form.field("next")} label="New password" />
        <Checkbox
          {...form.field("endTokens", { type: "checkbox" })}
          label="Revoke my access tokens, too"
          description="Do this if somebody else may know the password. Tools that use a token will need a new one."
        />
        <Alarm error={form.failure} />
        <div className={classes.save}>
          <BusyButton type="submit" busy={form.busy} label="Change password" doing="Changing…" />
          <Button variant="subtle" color="gray" onClick={close}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  );
}
