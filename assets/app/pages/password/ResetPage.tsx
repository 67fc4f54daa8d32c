import { Button, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { methodsQuery, resetPassword } from "../../api/people.ts";
import { sessionForgotten } from "../../api/session.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { found, passwordProblem } from "../../ui/rules.ts";
import { Loading } from "../../ui/States.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";
import { NotFoundApart } from "../errors/Missing.tsx";
import { LinkGone } from "./LinkGone.tsx";

type State = "asking" | "done" | "gone" | "off";

/** Where a link that sets a password leads. */
export default function ResetPage() {
  const [token, forget] = useAddressToken(paths.resetPassword, "reset");
  const [state, setState] = useState<State>("asking");
  const methods = useQuery(methodsQuery);
  if (state === "off" || methods.data?.password_login === false) return <NotFoundApart />;
  if (state === "done") return <Done />;
  if (token === undefined || state === "gone") return <LinkGone whole={token !== undefined} />;
  return (
    <Plain
      title="Set a new password"
      lead="Every session of your account ends; you sign in with the new password afterwards."
    >
      {methods.isPending ? <Loading rows={2} /> : <Form token={token} key={token} forget={forget} settle={setState} />}
    </Plain>
  );
}

function Form({ token, forget, settle }: { token: string; forget: () => void; settle: (state: State) => void }) {
  const [password, setPassword] = useState("");
  const cache = useQueryClient();
  const form = useForm({
    fields: ["password"] as const,
    check: () => found({ password: passwordProblem(password) }),
    send: async () => {
      try {
        await resetPassword(token, password);
      } catch (error) {
        if (isStatus(error, 403)) forget();
        if (isStatus(error, 403, 404)) return settle(isStatus(error, 404) ? "off" : "gone");
        throw error;
      }
      forget();
      sessionForgotten();
      cache.clear();
      settle("done");
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        <NewPassword
          name="password"
          label="New password"
          value={password}
          error={form.problems.password}
          autoFocus
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            form.changed("password");
          }}
        />
        <Alarm error={form.failure} />
        <Button type="submit" size="sm" loading={form.busy}>
          Set the password
        </Button>
      </Stack>
    </form>
  );
}

function Done() {
  return (
    <Plain title="Your password is set" lead="Sign in with it. If you did not ask for this, tell an administrator.">
      <Button component={Link} to={paths.login} state={{ signedOut: true }} size="sm" fullWidth autoFocus>
        Sign in
      </Button>
    </Plain>
  );
}
