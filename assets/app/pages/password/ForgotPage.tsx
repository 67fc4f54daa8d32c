import { Button, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { useMany } from "../../api/instance.ts";
import { forgotPassword, methodsQuery } from "../../api/people.ts";
import { metaQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { Plain } from "../../ui/Plain.tsx";
import { emailProblem, found } from "../../ui/rules.ts";
import { Loading } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NotFoundApart } from "../errors/Missing.tsx";

interface Sending {
  to: string;
  /** The server has a way to send mail. */
  mailed: boolean;
}

/** Asks for a link that sets a new password. */
export default function ForgotPage() {
  const methods = useQuery(methodsQuery);
  const [sentTo, setSentTo] = useState<Sending>();
  if (methods.data?.password_login === false) return <NotFoundApart />;
  if (sentTo !== undefined) return <Sent {...sentTo} again={() => setSentTo(undefined)} />;
  return (
    <Plain
      title="Forgot your password?"
      lead="Enter the e-mail address of your account. A link that sets a new password is sent to it."
    >
      {methods.isPending ? <Loading rows={2} /> : <Form sent={setSentTo} />}
    </Plain>
  );
}

function Form({ sent }: { sent: (to: Sending) => void }) {
  const [email, setEmail] = useState("");
  const form = useForm({
    fields: ["email"] as const,
    check: () => found({ email: emailProblem(email.trim()) }),
    send: async () => {
      const { mailed } = await forgotPassword(email.trim());
      sent({ to: email.trim(), mailed });
    },
  });
  const missing = isStatus(form.failure, 404);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        <TextInput
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          error={form.problems.email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            form.changed("email");
          }}
        />
        <Alarm error={form.failure} {...(missing ? { what: "Passwords cannot be set here." } : {})} />
        <Button type="submit" size="sm" loading={form.busy}>
          Send the link
        </Button>
        <Link to={paths.login}>Back to the sign-in</Link>
      </Stack>
    </form>
  );
}

function Sent({ to, mailed, again }: Sending & { again: () => void }) {
  const many = useMany();
  const support = useQuery(metaQuery).data?.capabilities.support.email;
  const title = mailed ? "Look into your mailbox" : "This server sends no mail";
  const address = <bdi>{oneLine(to)}</bdi>;
  return (
    <Plain
      title={title}
      lead={
        mailed ? (
          <>If there is an account with {address}, a link is on its way to it. It works once, and not for long.</>
        ) : (
          <>No link can be sent to {address}.</>
        )
      }
    >
      <p className="muted" role="status">
        {mailed && "Nothing there after some minutes? Look among the junk mail. "}
        {many
          ? `${mailed ? "Or ask" : "Ask"} whoever runs the server to make a link for you. `
          : `${mailed ? "An administrator of your organization can also make" : "Ask an administrator of your organization to make"} a link for you, under Members. `}
        {support && (
          <>
            Whoever runs the server can be reached at <bdi>{oneLine(support)}</bdi>.
          </>
        )}
      </p>
      <Button component={Link} to={paths.login} variant="default" size="sm" fullWidth>
        Back to the sign-in
      </Button>
      <Button variant="subtle" color="gray" size="sm" onClick={again}>
        Use another address
      </Button>
    </Plain>
  );
}
