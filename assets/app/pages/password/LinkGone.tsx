import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";

/** A password link that does not work; `whole`: it is complete, so it has expired or was used. */
export function LinkGone({ whole }: { whole: boolean }) {
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
