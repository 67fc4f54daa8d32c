import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../../paths.ts";
import { useSignOut } from "../../shell/sign-out.ts";
import { oneLine } from "../../ui/visible.ts";

/** The invitation is for an address other than the one that is signed in. */
export function SomebodyElse({ signedInAs, email }: { signedInAs: string; email: string }) {
  const signOut = useSignOut({ stay: true });
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    await signOut();
    setBusy(false);
  };
  return (
    <>
      <p>
        This invitation is for <bdi>{oneLine(email)}</bdi>, but you are signed in as <bdi>{oneLine(signedInAs)}</bdi>.
        Sign out to accept it.
      </p>
      <Button size="sm" fullWidth autoFocus loading={busy} onClick={() => void leave()}>
        Sign out and continue
      </Button>
      <Button component={Link} to={paths.home} variant="default" size="sm" fullWidth>
        Stay signed in
      </Button>
    </>
  );
}
