import { Button, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { methodsQuery, resetPassword } from "../../api/people.ts";
import { sessionForgotten } from "../../api/session.ts";
import { NotFoundApart } from "../../errors/Missing.tsx";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { passwordProblem } from "../../ui/rules.ts";
import { Loading } from "../../ui/States.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";

type State = "asking" | "done" | "gone" | "off";

/** Where a password link leads. */
export default function ResetPage() {
  const [token, forget] = useAddressToken(paths.resetPassword, "reset");
  const [state, setState] = useState<State>("asking");
  const methods = useQuery(methodsQuery);
  if (state === "off" || methods.data?.password_login === false) return <NotFoundApart />;
  if (state === "done") return <Done />;
  if (token === undefined || state === "gone") return <LinkGone whole={token !== undefined} />;
  return (
    <Plain title="Set a new password" lead="You will be signed out everywhere, and sign in with the new password.">
      {methods.isPending ? <Loading rows={2} /> : <Form token={token} key={token} forget={forget} settle={setState} />}
    </Plain>
  );
}

function Form({ token, forget, settle }: { token: string; forget: () => void; settle: (state: State) => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: passwordProblem },
    send: async ({ password }) => {
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
        <NewPassword {...form.field("password")} label="New password" autoFocus />
        <Alarm error={form.failure} />
        <BusyButton type="submit" size="sm" busy={form.busy} label="Set password" doing="Setting…" />
      </Stack>
    </form>
  );
}

function Done() {
  return (
    <Plain
      title="Your password is set"
      lead="Sign in with your new password. If you did not request this, tell an administrator."
    >
      <Button component={Link} to={paths.login} state={{ signedOut: true }} size="sm" fullWidth autoFocus>
        Sign in
      </Button>
    </Plain>
  );
}

/** A password link that does not work; `whole`: nothing of it is missing. */
function LinkGone({ whole }: { whole: boolean }) {
  const lead = whole
    ? "A link works once, for a short time, and only until you request another. Request a new one."
    : "Part of it is missing. Open it from the mail again, or copy all of it.";
  return (
    <Plain title={whole ? "This link is no longer valid" : "This link is incomplete"} lead={lead}>
      <Button component={Link} to={paths.forgotPassword} size="sm" fullWidth>
        Request a new link
      </Button>
      <Button component={Link} to={paths.login} variant="default" size="sm" fullWidth>
        Go to sign-in
      </Button>
    </Plain>
  );
}
