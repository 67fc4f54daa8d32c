import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { setupQuery } from "../../api/instance.ts";
import { methodsQuery } from "../../api/people.ts";
import { NotFoundApart } from "../../errors/Missing.tsx";
import { paths } from "../../paths.ts";
import { CameWith } from "../../sign-in/CameWith.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { Loading } from "../../ui/States.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";
import { ClaimForm } from "./ClaimForm.tsx";
import { SetupForm } from "./SetupForm.tsx";

/** Claims the instance by creating its first account and organization. */
export default function SetupPage() {
  const { error } = useSearch({ from: "/setup" });
  const [token = "", forget] = useAddressToken(paths.setup, "setup-token");
  const state = useQuery(setupQuery);
  const methods = useQuery(methodsQuery);
  const [leaving, setLeaving] = useState(false);
  const claimed = state.data?.claimed === true;
  useEffect(() => {
    if (claimed) forget();
  }, [claimed, forget]);
  if (claimed && !leaving) return <Claimed />;
  // With several organizations nothing is claimed. During a claim, both values change.
  if (state.data?.available === false && !leaving) return <NotFoundApart />;
  const asking = state.isPending || methods.isPending;
  return (
    <Plain
      title="Claim this instance"
      lead="Create the first account. It owns this instance and can invite everyone else."
    >
      {asking ? (
        <Loading rows={5} />
      ) : (
        <>
          <CameWith code={error} />
          {methods.data?.password_login === false ? (
            <ClaimForm given={token} methods={methods.data} />
          ) : (
            <SetupForm given={token} leaving={() => setLeaving(true)} />
          )}
        </>
      )}
    </Plain>
  );
}

function Claimed() {
  return (
    <Plain
      title="This instance has been claimed"
      lead="Somebody has created the first account. Ask them to invite you, or sign in if you have an account."
    >
      <Button component={Link} to={paths.login} size="sm" fullWidth>
        Sign in
      </Button>
    </Plain>
  );
}
