import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { messageOf } from "../../api/error.ts";

interface Props {
  /** Filled in beforehand. */
  email?: string | undefined;
  onSignedIn: () => void;
}

/** E-mail and password. */
export function LoginForm({ email = "", onSignedIn }: Props) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      const body = { email: String(form.get("email")).trim(), password: String(form.get("password")) };
      await ok(api.POST("/auth/password/login", { body }));
      onSignedIn();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-busy={busy}>
      <Stack gap="md">
        <TextInput name="email" label="E-mail" type="email" required defaultValue={email} autoComplete="username" autoFocus={email === ""} withAsterisk={false} />
        <PasswordInput
          name="password"
          label="Password"
          required
          autoComplete="current-password"
          autoFocus={email !== ""}
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        />
        {error !== undefined && (
          <Alert color="red" role="alert" variant="light">
            {messageOf(error)}
          </Alert>
        )}
        <Button type="submit" size="sm" loading={busy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
