import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { paths, setupTokenIn } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";
import { Loading } from "../../ui/states.tsx";
import { SetupForm } from "./SetupForm.tsx";
import { setupQuery } from "./state.ts";

/** Claims the instance: its first account and organization. */
export default function SetupPage() {
  const token = useLinkToken();
  const state = useQuery(setupQuery);
  const [leaving, setLeaving] = useState(false);
  if (state.data?.claimed && !leaving) return <Claimed />;
  return (
    <Plain title="Claim this instance" lead="The first account owns this instance and may invite everybody else.">
      {state.isPending ? <Loading rows={5} /> : <SetupForm given={token} leaving={() => setLeaving(true)} />}
    </Plain>
  );
}

function Claimed() {
  return (
    <Plain title="This instance is claimed" lead="Somebody has made its first account already. Ask them to invite you, or sign in if you have an account.">
      <Button component={Link} to={paths.login} size="sm" fullWidth>
        Sign in
      </Button>
    </Plain>
  );
}

/** The token of the link that was opened, which is taken out of the address: no history keeps it. */
function useLinkToken(): string {
  const hash = useLocation({ select: (location) => location.hash });
  const [token, setToken] = useState(() => setupTokenIn(hash));
  const navigate = useNavigate();
  useEffect(() => {
    const found = setupTokenIn(hash);
    if (found === "") return;
    setToken(found);
    void navigate({ to: paths.setup, hash: "", replace: true });
  }, [hash, navigate]);
  return token;
}
