import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { type Account, unlink } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import type { Identity, Methods } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Providers } from "../../../sign-in/Providers.tsx";
import { providersOf } from "../../../sign-in/providers.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { done } from "../../../ui/notify.ts";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import own from "../Account.module.css";

/** Accounts at providers with which the person signs in. */
export function Identities({ account, methods }: { account: Account; methods: Methods | undefined }) {
  const [removing, setRemoving] = useState<Identity>();
  const cache = useQueryClient();
  const providers = providersOf(methods);
  const linkable = providers.filter(
    ({ provider }) => !account.identities.some((identity) => identity.provider === provider),
  );
  const nameOf = (identity: Identity) =>
    providers.find(({ provider }) => provider === identity.provider)?.name ??
    (identity.provider === "sso" ? "Single sign-on" : "GitHub");
  const onlyWay = account.identities.length === 1 && !account.has_password;
  if (providers.length === 0 && account.identities.length === 0) return null;
  return (
    <section className={classes.part} aria-labelledby="identities">
      <h2 id="identities">Linked accounts</h2>
      <p className={classes.lead}>Accounts with other services that you can sign in with.</p>
      {account.identities.length > 0 && (
        <ul className={own.rows}>
          {account.identities.map((identity) => (
            <li key={identity.id} className={own.row}>
              <KeyRound size="1rem" aria-hidden />
              <div className={own.what}>
                <span>
                  <Line text={nameOf(identity)} />
                </span>
                <span className={own.dots}>
                  {identity.email !== null && <Line text={identity.email} />}
                  <Line text={identity.issuer} />
                  <span>
                    linked <Time at={identity.created_at} />
                  </span>
                  <span>
                    {identity.last_used_at === null ? (
                      "never used"
                    ) : (
                      <>
                        last used <Time at={identity.last_used_at} />
                      </>
                    )}
                  </span>
                </span>
              </div>
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                disabled={onlyWay}
                title={
                  onlyWay
                    ? "This is your only way to sign in. Set a password or link another account first."
                    : undefined
                }
                aria-label={`Unlink ${nameOf(identity)}`}
                onClick={() => setRemoving(identity)}
              >
                Unlink…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {onlyWay && (
        <p className={classes.lead}>
          This is your only way to sign in. To unlink it, set a password or link another account first.
        </p>
      )}
      {linkable.length > 0 && (
        <div className={classes.form}>
          <Providers
            providers={linkable}
            verb="Link"
            body={() => ({ purpose: "link", redirect_to: paths.account() })}
          />
        </div>
      )}
      <Confirm
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title="Unlink account?"
        action="Unlink account"
        run={async () => {
          if (!removing) return;
          await unlink(removing.id);
          await cache.invalidateQueries({ queryKey: meQuery.queryKey });
          done("Account unlinked");
        }}
      >
        <p>
          You will no longer be able to sign in with {removing && <bdi>{removing.email ?? nameOf(removing)}</bdi>}. You
          can link it again later.
        </p>
      </Confirm>
    </section>
  );
}
