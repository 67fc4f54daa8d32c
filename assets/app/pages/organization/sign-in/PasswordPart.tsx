import type { SignInSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import own from "./SignIn.module.css";

export function PasswordPart({ of }: { of: SignInSettings["password"] }) {
  return (
    <Part title="E-mail and password" on={of.enabled} state={of.enabled ? "on" : "off"}>
      {of.enabled ? (
        <p className={classes.lead}>
          Everyone with an account can sign in with a password. Once another method works, you can turn this off with{" "}
          <code>PASSWORD_AUTH_ENABLED=false</code>.
        </p>
      ) : (
        <div className={own.help}>
          <p className={classes.lead}>To turn it on, add to the server's variables:</p>
          <Snippet label="Variables for passwords" text={snippets.password} />
        </div>
      )}
    </Part>
  );
}
