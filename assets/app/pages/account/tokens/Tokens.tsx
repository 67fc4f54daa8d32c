import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { revokeToken, tokensQuery } from "../../../api/people.ts";
import type { PersonalToken } from "../../../api/schema.d.ts";
import { useNow } from "../../../ui/clock.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import { oneLine } from "../../../ui/visible.ts";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
import { NewToken } from "./NewToken.tsx";
import { TokenTable } from "./TokenTable.tsx";
import { standingOf } from "./words.ts";

/** Tokens that act as the person. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<PersonalToken>();
  const now = useNow();
  return (
    <>
      <div className={classes.spread}>
        <h2>Access tokens</h2>
        <Button onClick={() => setMaking(true)}>New token…</Button>
      </div>
      <p className={classes.lead}>
        For scripts and tools that act on your behalf. A token can never do more than you can. Send it as{" "}
        <code>Authorization: Bearer</code>.
      </p>
      <Answer query={tokens} what="Your tokens" bones={<TableBones />}>
        {({ tokens: list }) => {
          const active = list.filter((token) => standingOf(token, now) === "live");
          const inactive = list.filter((token) => standingOf(token, now) !== "live");
          return (
            <>
              {active.length > 0 ? (
                <TokenTable tokens={active} label="Access tokens" revoke={setRevoking} />
              ) : (
                <Empty title="No active tokens">
                  <p>Create one for a script or a tool that reads your issues.</p>
                </Empty>
              )}
              {inactive.length > 0 && (
                <details className={keyClasses.revoked}>
                  <summary>{counted(inactive.length, "inactive token")}</summary>
                  <TokenTable tokens={inactive} label="Inactive tokens" />
                </details>
              )}
            </>
          );
        }}
      </Answer>
      <NewToken opened={making} close={() => setMaking(false)} />
      <Revoke of={revoking} close={() => setRevoking(undefined)} />
    </>
  );
}

function Revoke({ of, close }: { of: PersonalToken | undefined; close: () => void }) {
  const cache = useQueryClient();
  const run = async () => {
    if (!of) return;
    await revokeToken(of.id);
    await cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    done(`Token ${oneLine(of.name)} revoked`);
  };
  return (
    <Confirm
      opened={of !== undefined}
      close={close}
      title="Revoke token?"
      action="Revoke token"
      doing="Revoking…"
      run={run}
    >
      <p>
        Anything that uses <bdi>{of && oneLine(of.name)}</bdi> will be refused at once. This cannot be undone.
      </p>
    </Confirm>
  );
}
