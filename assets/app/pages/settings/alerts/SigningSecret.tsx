import { NewSecret } from "../../../ui/settings/NewSecret.tsx";
import classes from "../../../ui/settings/Settings.module.css";

/** The secret with which a webhook's messages are signed, shown once. */
export function SigningSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <NewSecret
      label="Signing secret"
      secret={secret}
      lost="The secret cannot be shown again. If you have not copied it, receivers cannot verify messages until you make another."
      close={close}
    >
      <p className={classes.lead}>
        Receivers verify messages with it: <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
        <code>webhook-signature</code> are those of Standard Webhooks, for which there are libraries.
      </p>
    </NewSecret>
  );
}
