import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";

/** A link that sets a password and does not work; `whole`: it had everything that a link needs. */
export function LinkGone({ whole }: { whole: boolean }) {
  const lead = whole
    ? "It works once and for a short time; a newer link ends it, too. Ask for a new one."
    : "A part of it is missing. Open it from the mail again, or copy it whole.";
  return (
    <Plain title={whole ? "This link is not valid any more" : "This link is not whole"} lead={lead}>
      <Button component={Link} to={paths.forgotPassword} size="sm" fullWidth>
        Ask for a new link
      </Button>
      <Button component={Link} to={paths.login} variant="default" size="sm" fullWidth>
        To the sign-in
      </Button>
    </Plain>
  );
}
