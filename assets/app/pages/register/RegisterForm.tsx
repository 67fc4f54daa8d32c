import { Button, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { register } from "../../api/people.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { Password } from "../../ui/Password.tsx";
import { found, nameProblem, passwordProblem } from "../../ui/rules.ts";

interface Props {
  token: string;
  forget: () => void;
  email: string;
  /** There is an account: its password joins it to the organization. */
  known: boolean;
}

/** Accepts an invitation with a password. */
export function RegisterForm({ token, forget, email, known }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    fields: ["name", "password"] as const,
    check: () => {
      const missing = password === "" ? "Enter your password." : undefined;
      return found({ name: nameProblem(name), password: known ? missing : passwordProblem(password) });
    },
    send: async () => {
      await register({ email, password, invitation_token: token, ...(name.trim() === "" ? {} : { name: name.trim() }) });
      forget();
      cache.clear();
      await navigate({ to: paths.home, replace: true });
    },
    fieldOf: (error) => (isStatus(error, 401) ? "password" : undefined),
  });
  const field = (which: "name" | "password", set: (text: string) => void) => ({
    name: which,
    value: which === "name" ? name : password,
    error: form.problems[which],
    onChange: (event: { currentTarget: { value: string } }) => {
      set(event.currentTarget.value);
      form.changed(which);
    },
  });
  const refused = isStatus(form.failure, 403);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        {/* For password managers, which keep the password under it. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {known ? (
          <>
            <p>You have an account here already. Enter its password to join.</p>
            <Password {...field("password", setPassword)} label="Your password" autoComplete="current-password" required withAsterisk={false} autoFocus />
          </>
        ) : (
          <>
            <TextInput {...field("name", setName)} label="Your name" description="Optional. Shown to others beside what you do." autoComplete="name" autoFocus />
            <NewPassword {...field("password", setPassword)} label="Password" />
          </>
        )}
        <Alarm
          error={form.failure}
          {...(refused ? { what: known ? "The password is wrong, or the invitation is not valid any more." : "The invitation may have been used or withdrawn meanwhile." } : {})}
        />
        <Button type="submit" size="sm" loading={form.busy}>
          {known ? "Join" : "Join and sign in"}
        </Button>
        {known && <Link to={paths.forgotPassword}>Forgot your password?</Link>}
      </Stack>
    </form>
  );
}
