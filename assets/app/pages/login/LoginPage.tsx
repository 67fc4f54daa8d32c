import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { meQuery, metaQuery } from "../../api/queries.ts";
import { localPath, paths } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";
import { Loading } from "../../ui/states.tsx";
import { Line } from "../../ui/Text.tsx";
import { TokenHelp } from "../setup/TokenHelp.tsx";
import { setupQuery } from "../setup/state.ts";
import { LoginForm } from "./LoginForm.tsx";

/** Who is signed in goes on at once; on an unclaimed instance nobody can sign in. */
export default function LoginPage() {
  const me = useQuery(meQuery);
  const setup = useQuery(setupQuery);
  const name = useQuery(metaQuery).data?.capabilities.deployment.displayName;
  const cache = useQueryClient();
  const leave = useLeave();
  const signedIn = me.data !== undefined && me.data !== null;
  useEffect(() => {
    if (signedIn) void leave();
  }, [signedIn, leave]);

  // A server that does not answer is told by the form.
  const asking = (me.isPending && me.failureCount === 0) || setup.isPending;
  if (setup.data?.claimed === false) return <Unclaimed />;
  return (
    <Plain title="Sign in" lead={<Line text={name ? `to ${name}` : "\u00a0"} />}>
      {asking || signedIn ? (
        <Loading rows={3} />
      ) : (
        <LoginForm
          onSignedIn={() => {
            // What a former person read is not for this one.
            cache.clear();
            return leave();
          }}
        />
      )}
    </Plain>
  );
}

function useLeave(): () => Promise<void> {
  const { next } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const left = useRef(false);
  return useCallback(async () => {
    if (left.current) return;
    left.current = true;
    try {
      const wanted = localPath(next);
      // This page is no place to go on to.
      await navigate({ href: wanted.startsWith(paths.login) ? paths.home : wanted, replace: true });
    } finally {
      left.current = false;
    }
  }, [next, navigate]);
}

function Unclaimed() {
  return (
    <Plain title="Nobody has claimed this instance" lead="There is no account to sign in with yet. Whoever runs the server makes the first one with the setup token.">
      <Button component={Link} to={paths.setup} size="sm" fullWidth>
        Claim it
      </Button>
      <TokenHelp />
    </Plain>
  );
}
