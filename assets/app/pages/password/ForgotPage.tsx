import { Button, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { useMany } from "../../api/instance.ts";
import { forgotPassword, methodsQuery } from "../../api/people.ts";
import { metaQuery } from "../../api/queries.ts";
import { NotFoundApart } from "../../errors/Missing.tsx";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { Plain } from "../../ui/Plain.tsx";
import { emailProblem } from "../../ui/rules.ts";
import { Loading } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";

interface Sending {
  to: string;
  /** Whether the server can send mail. */
  mailed: boolean;
}

/** Requests a link for setting a new password. */
export default function ForgotPage() {
  const methods = useQuery(methodsQuery);
  const [sentTo, setSentTo] = useState<Sending>();
  if (methods.data?.password_login === false) return <NotFoundApart />;
  if (sentTo !== undefined) return <Sent {...sentTo} again={() => setSentTo(undefined)} />;
  return (
    <Plain
      title="Forgot your password?"
      lead="Enter the e-mail address of your account. We will send you a link to set a new password."
    >
      {methods.isPending ? <Loading rows={2} /> : <Form sent={setSentTo} />}
    </Plain>
  );
}

function Form({ sent }: { sent: (to: Sending) => void }) {
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: (email) => emailProblem(email.trim()) },
    send: async ({ email }) => {
      const { mailed } = await forgotPassword(email.trim());
      sent({ to: email.trim(), mailed });
    },
  });
  const missing = isStatus(form.failure, 404);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        <TextInput
          {...form.field("email")}
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <Alarm error={form.failure} {...(missing ? { what: "You cannot set a password here." } : {})} />
        <BusyButton type="submit" size="sm" busy={form.busy} label="Send link" doing="Sending…" />
        <Link to={paths.login}>Back to sign-in</Link>
      </Stack>
    </form>
  );
}

function Sent({ to, mailed, again }: Sending & { again: () => void }) {
  const many = useMany();
  const support = useQuery(metaQuery).data?.capabilities.support.email;
  const title = mailed ? "Check your mail" : "This server does not send mail";
  const address = <bdi>{oneLine(to)}</bdi>;
  return (
    <Plain
      title={title}
      lead={
        mailed ? (
          <>If there is an account for {address}, we have sent it a link. The link works once and expires soon.</>
        ) : (
          <>We cannot send a link to {address}.</>
        )
      }
    >
      <p className="muted" role="status">
        {mailed && "No mail after a few minutes? Check your spam folder. "}
        {many
          ? `${mailed ? "Or ask" : "Ask"} the administrator of this server to create a link for you. `
          : `${mailed ? "An administrator of your organization can also create" : "Ask an administrator of your organization to create"} a link for you under Members. `}
        {support && (
          <>
            To reach the administrator of this server, write to <bdi>{oneLine(support)}</bdi>.
          </>
        )}
      </p>
      <Button component={Link} to={paths.login} variant="default" size="sm" fullWidth>
        Back to sign-in
      </Button>
      <Button variant="subtle" color="gray" size="sm" onClick={again}>
        Use another address
      </Button>
    </Plain>
  );
}
