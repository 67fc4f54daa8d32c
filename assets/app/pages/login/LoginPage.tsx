import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { setupQuery } from "../../api/instance.ts";
import { methodsQuery } from "../../api/people.ts";
import { meQuery, metaQuery } from "../../api/queries.ts";
import type { Methods } from "../../api/schema.d.ts";
import { localPath, paths } from "../../paths.ts";
import { CameWith } from "../../sign-in/CameWith.tsx";
import { type Arrival, goesByItself, leaveFor } from "../../sign-in/providers.ts";
import { Plain } from "../../ui/Plain.tsx";
import { Loading } from "../../ui/States.tsx";
import { storedInTab, storeInTab } from "../../ui/tab-storage.ts";
import { Line } from "../../ui/Text.tsx";
import { TokenHelp } from "../setup/TokenHelp.tsx";
import { SignInMethods } from "./SignInMethods.tsx";

/** Of the time of an automatic redirect, in the tab's storage. */
const wentKey = "went-to-sso";

/** Continues at once for a signed-in person. On an unclaimed instance nobody can sign in. */
export default function LoginPage() {
  const { error } = useSearch({ from: "/login" });
  const me = useQuery(meQuery);
  const setup = useQuery(setupQuery);
  const methods = useQuery(methodsQuery);
  const name = useQuery(metaQuery).data?.capabilities.deployment.displayName;
  const cache = useQueryClient();
  const { wanted, leave } = useLeave();
  const signedIn = me.data !== undefined && me.data !== null;
  // A failed link or test sign-in ends here as well, and a signed-in person must see why.
  const told = signedIn && error !== undefined;
  useEffect(() => {
    if (signedIn && !told) void leave();
  }, [signedIn, told, leave]);

  // The form reports if the server does not respond.
  const asking = (me.isPending && me.failureCount === 0) || setup.isPending || methods.isPending;
  const unclaimed = setup.data?.claimed === false && setup.data.available !== false;
  const signedOut = useLocation({ select: ({ state }) => state.signedOut === true });
  const automatic = useAutomatic(
    asking || signedIn || unclaimed ? undefined : methods.data,
    { error, signedOut },
    wanted,
  );
  if (unclaimed) return <Unclaimed />;
  if (told) return <StillSignedIn code={error} leave={() => void leave()} />;
  return (
    <Plain title="Sign in" lead={<Line text={name ? `to ${name}` : "\u00a0"} />}>
      {asking || signedIn || automatic.going ? (
        <Loading rows={3} label={automatic.going ? "Continuing to the sign-in provider" : "Loading"} />
      ) : (
        <>
          <CameWith code={error} />
          <SignInMethods
            methods={methods.data}
            flow={() => ({ redirect_to: wanted, purpose: "sign_in" })}
            failure={automatic.error}
            onSignedIn={() => {
              // The cache may have data of another person.
              cache.clear();
              return leave();
            }}
          />
        </>
      )}
    </Plain>
  );
}

function StillSignedIn({ code, leave }: { code: string; leave: () => void }) {
  return (
    <Plain title="That did not work" lead="You are still signed in as before.">
      <CameWith code={code} />
      <Button size="sm" fullWidth autoFocus onClick={leave}>
        Continue
      </Button>
    </Plain>
  );
}

function useLeave(): { wanted: string; leave: () => Promise<void> } {
  const { next } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const left = useRef(false);
  const local = localPath(next);
  // This page itself is nowhere to continue to.
  const wanted = local.startsWith(paths.login) ? paths.home : local;
  const leave = useCallback(async () => {
    if (left.current) return;
    left.current = true;
    try {
      await navigate({ href: wanted, replace: true });
    } finally {
      left.current = false;
    }
  }, [wanted, navigate]);
  return { wanted, leave };
}

function Unclaimed() {
  return (
    <Plain
      title="Nobody has claimed this instance"
      lead="There are no accounts yet. The administrator of the server creates the first one with the setup token."
    >
      <Button component={Link} to={paths.setup} size="sm" fullWidth>
        Claim this instance
      </Button>
      <TokenHelp />
    </Plain>
  );
}

/** Redirects to single sign-on if that is the only method. `methods` is passed when everything else is known. */
function useAutomatic(methods: Methods | undefined, came: Omit<Arrival, "wentAt">, wanted: string) {
  const [error, setError] = useState<unknown>();
  const [decided, decide] = useState<boolean>();
  if (methods && decided === undefined) {
    const wentAt = Number(storedInTab(wentKey)) || undefined;
    decide(goesByItself(methods, { ...came, wentAt }, Date.now()));
  }
  const going = decided === true && error === undefined;
  const left = useRef(false);
  useEffect(() => {
    if (!going || left.current) return;
    left.current = true;
    storeInTab(wentKey, String(Date.now()));
    leaveFor("sso", { redirect_to: wanted, purpose: "sign_in" }).catch(setError);
  }, [going, wanted]);
  return { going, error };
}
