import type { SignInSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import own from "./SignIn.module.css";

export function PasswordPart({ of }: { of: SignInSettings["password"] }) {
  return (
    <Part title="E-mail and password" on={of.enabled} state={of.enabled ? "on" : "switched off"}>
      {of.enabled ? (
        <p className={classes.lead}>
          Everybody with an account may sign in so. <code>PASSWORD_AUTH_ENABLED=false</code> switches it off, once
          another way works.
        </p>
      ) : (
        <div className={own.help}>
          <p className={classes.lead}>To switch it on:</p>
          <Snippet label="Variables for passwords" text={snippets.password} />
        </div>
      )}
    </Part>
  );
}
