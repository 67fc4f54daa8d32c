import { Button, Stack, TextInput } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { api, ok } from "../api/client.ts";
import { clock, waitOf } from "../api/wait.ts";
import { Alarm } from "../ui/Alarm.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { useForm } from "../ui/form.ts";
import { Password } from "../ui/Password.tsx";
import { passwordMissing, required } from "../ui/rules.ts";

interface Props {
  /** The person whose session ended: only they can continue on the page. */
  email?: string | undefined;
  onSignedIn: () => unknown;
}

/** E-mail and password. */
export function LoginForm({ email: known = "", onSignedIn }: Props) {
  const [left, wait] = useWait();
  const form = useForm({
    initialValues: { email: known, password: "" },
    validate: { email: (email) => required(email, "Enter your e-mail address."), password: passwordMissing },
    send: async ({ email, password }) => {
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
          {...form.field("email")}
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={known === ""}
          readOnly={known !== ""}
        />
        <Password
          {...form.field("password")}
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={known !== ""}
          // A dialog gives the focus to this field.
          data-autofocus={known !== "" || undefined}
        />
        <Alarm error={form.failure} />
        {left > 0 ? (
          <Button size="sm" disabled>
            <span className="number">Try again in {clock(left)}</span>
          </Button>
        ) : (
          <BusyButton type="submit" size="sm" busy={form.busy} label="Sign in" doing="Signing in…" />
        )}
      </Stack>
    </form>
  );
}

/** The seconds left of a wait; 0 when there is none. */
function useWait(): [left: number, start: (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds === 0) setUntil(0);
    };
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const start = useCallback((seconds: number) => {
    setLeft(seconds);
    setUntil(Date.now() + seconds * 1000);
  }, []);
  return [left, start];
}
