import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { confirmEmail } from "../../api/people.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";

/**
 * The page of a link that confirms a new e-mail address. It requires a click, because mail scanners open links by
 * themselves.
 */
export default function ConfirmPage() {
  const [token, forget] = useAddressToken(paths.confirmEmail, "confirm");
  const [state, setState] = useState<"asking" | "busy" | "done" | "gone">("asking");
  const [error, setError] = useState<unknown>();
  const cache = useQueryClient();
  const confirm = async (given: string) => {
    setState("busy");
    setError(undefined);
    try {
      await confirmEmail(given);
      forget();
      cache.clear();
      setState("done");
    } catch (problem) {
      const gone = isStatus(problem, 403);
      if (gone) forget();
      else setError(problem);
      setState(gone ? "gone" : "asking");
    }
  };
  if (state === "done") {
    return (
      <Plain title="Your e-mail address has changed" lead="Sign in with it from now on. Mayday sends your mail there.">
        <Onwards />
      </Plain>
    );
  }
  if (token === undefined || state === "gone") {
    return (
      <Plain
        title={token === undefined ? "This link is incomplete" : "This link is no longer valid"}
        lead={
          token === undefined
            ? "Part of it is missing. Open it from the mail again, or copy all of it."
            : "A link works once, for a short time. To get a new one, change your address again under Account."
        }
      >
        <Onwards />
      </Plain>
    );
  }
  return (
    <Plain title="Confirm your e-mail address" lead="Confirm that you want to use this address for your account.">
      <Alarm error={error} />
      <BusyButton
        size="sm"
        fullWidth
        autoFocus
        busy={state === "busy"}
        label="Confirm address"
        doing="Confirming…"
        onClick={() => state === "busy" || void confirm(token)}
      />
    </Plain>
  );
}

function Onwards() {
  return (
    <Button component={Link} to={paths.account()} size="sm" fullWidth>
      Go to your account
    </Button>
  );
}
