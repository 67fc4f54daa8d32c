import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { clock, waitOf } from "../../api/wait.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { type Problems, useForm } from "../../ui/form.ts";
import { Password } from "../../ui/Password.tsx";
import { useWait } from "./use-wait.ts";

interface Props {
  /** Whose session it was: only that person can go on with what the page holds. */
  email?: string | undefined;
  onSignedIn: () => unknown;
}

const fields = ["email", "password"] as const;
type FieldName = (typeof fields)[number];

/** E-mail and password. */
export function LoginForm({ email: known = "", onSignedIn }: Props) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [left, wait] = useWait();
  const form = useForm<FieldName>({
    fields,
    check: () => {
      const problems: Problems<FieldName> = {};
      if (email.trim() === "") problems.email = "Enter your e-mail address.";
      if (password === "") problems.password = "Enter your password.";
      return problems;
    },
    send: async () => {
      if (left > 0) return;
      const answer = api.POST("/auth/password/login", { body: { email: email.trim(), password } });
      const { response } = await answer;
      if (response.status === 429) wait(waitOf(response.headers.get("Retry-After"), Date.now()));
      await ok(answer);
      await onSignedIn();
    },
  });
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
          autoFocus={known === ""}
          readOnly={known !== ""}
          value={email}
          error={form.problems.email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            form.changed("email");
          }}
        />
        <Password
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={known !== ""}
          // In a dialog, which chooses the field by this.
          data-autofocus={known !== "" || undefined}
          value={password}
          error={form.problems.password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            form.changed("password");
          }}
        />
        <Alarm error={form.failure} />
        <Button type="submit" size="sm" loading={form.busy} disabled={left > 0}>
          {left > 0 ? <span className="number">Try again in {clock(left)}</span> : "Sign in"}
        </Button>
      </Stack>
    </form>
  );
}
