import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { confirmEmail } from "../../api/people.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";

/** Where the link of an e-mail change leads. A press confirms: what opens links of mails by itself does not. */
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
      <Plain
        title="Your e-mail address is changed"
        lead="From now on you sign in with it, and mail of Mayday goes there."
      >
        <Onwards />
      </Plain>
    );
  }
  if (token === undefined || state === "gone") {
    return (
      <Plain
        title={token === undefined ? "This link is not whole" : "This link is not valid any more"}
        lead={
          token === undefined
            ? "A part of it is missing. Open it from the mail again, or copy it whole."
            : "It works once and for a short time. Change the address under Account again to get a new one."
        }
      >
        <Onwards />
      </Plain>
    );
  }
  return (
    <Plain title="Confirm your e-mail address" lead="It becomes the address of your account once you press the button.">
      <Alarm error={error} />
      <Button size="sm" fullWidth autoFocus loading={state === "busy"} onClick={() => void confirm(token)}>
        Confirm the address
      </Button>
    </Plain>
  );
}

function Onwards() {
  return (
    <Button component={Link} to={paths.account()} size="sm" fullWidth>
      To your account
    </Button>
  );
}
