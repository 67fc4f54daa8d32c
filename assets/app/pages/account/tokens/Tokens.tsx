import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { revokeToken, tokensQuery } from "../../../api/people.ts";
import type { PersonalToken } from "../../../api/schema.d.ts";
import { useNow } from "../../../ui/clock.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.tsx";
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
        <Button onClick={() => setMaking(true)}>New token</Button>
      </div>
      <p className={classes.lead}>
        For scripts and tools that act as you, sent as <code>Authorization: Bearer</code>. A token can never do more
        than you can. It is shown once: only a hash of it is kept.
      </p>
      <Answer query={tokens} what="Your tokens" bones={<TableBones />}>
        {({ tokens: list }) => {
          const live = list.filter((token) => standingOf(token, now) === "live");
          const over = list.filter((token) => standingOf(token, now) !== "live");
          return (
            <>
              {live.length > 0 ? (
                <TokenTable tokens={live} label="Access tokens" revoke={setRevoking} />
              ) : (
                <Empty title="You have no token that works">
                  <p>Make one for a script or a tool that reads your issues.</p>
                </Empty>
              )}
              {over.length > 0 && (
                <details className={keyClasses.revoked}>
                  <summary>{counted(over.length, "token that is over", "tokens that are over")}</summary>
                  <TokenTable tokens={over} label="Tokens that are over" />
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
    done(`Token ${oneLine(of.name)} was revoked`);
  };
  return (
    <Confirm opened={of !== undefined} close={close} title="Revoke the token?" action="Revoke the token" run={run}>
      <p>
        Whatever uses <bdi>{of && oneLine(of.name)}</bdi> is refused from now on. It cannot be made to work again.
      </p>
    </Confirm>
  );
}
