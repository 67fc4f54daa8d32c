import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { setupQuery } from "../../api/instance.ts";
import { methodsQuery } from "../../api/people.ts";
import { meQuery, metaQuery } from "../../api/queries.ts";
import { localPath, paths } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";
import { Loading } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { TokenHelp } from "../setup/TokenHelp.tsx";
import { CameWith } from "./CameWith.tsx";
import { Ways } from "./Ways.tsx";
import { useAutomatic } from "./use-automatic.ts";

/** Who is signed in goes on at once; on an unclaimed instance nobody can sign in. */
export default function LoginPage() {
  const { error } = useSearch({ from: "/login" });
  const me = useQuery(meQuery);
  const setup = useQuery(setupQuery);
  const methods = useQuery(methodsQuery);
  const name = useQuery(metaQuery).data?.capabilities.deployment.displayName;
  const cache = useQueryClient();
  const { wanted, leave } = useLeave();
  const signedIn = me.data !== undefined && me.data !== null;
  // A link or a test that failed ends here, too; who is signed in is to read that.
  const told = signedIn && error !== undefined;
  useEffect(() => {
    if (signedIn && !told) void leave();
  }, [signedIn, told, leave]);

  // A server that does not answer is told by the form.
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
        <Loading rows={3} label={automatic.going ? "Going on to the sign-in service" : "Loading"} />
      ) : (
        <>
          <CameWith code={error} />
          <Ways
            methods={methods.data}
            flow={() => ({ redirect_to: wanted, purpose: "sign_in" })}
            failure={automatic.error}
            onSignedIn={() => {
              // What a former person read is not for this one.
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
    <Plain title="That did not work" lead="You are still signed in as you were.">
      <CameWith code={code} />
      <Button size="sm" fullWidth autoFocus onClick={leave}>
        Go on
      </Button>
    </Plain>
  );
}

function useLeave(): { wanted: string; leave: () => Promise<void> } {
  const { next } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const left = useRef(false);
  const local = localPath(next);
  // This page is no place to go on to.
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
      lead="There is no account to sign in with yet. Whoever runs the server makes the first one with the setup token."
    >
      <Button component={Link} to={paths.setup} size="sm" fullWidth>
        Claim it
      </Button>
      <TokenHelp />
    </Plain>
  );
}
