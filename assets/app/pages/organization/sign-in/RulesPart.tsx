import type { SignInSettings } from "../../../api/schema.d.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

/** Who can get in with which e-mail address, and in which role. */
export function RulesPart({ of }: { of: SignInSettings }) {
  const on = of.admin_emails.length > 0 || of.allowed_email_domains.length > 0;
  return (
    <Part title="E-mail rules" on={on} state={on ? "on" : "none"}>
      <dl className={own.settings}>
        <Setting
          name="Always admins"
          value={of.admin_emails.join(", ")}
          variable="ADMIN_EMAILS"
          otherwise="nobody"
          about="At least admins, once they have confirmed their address. Nobody can lower their role here."
        />
        <Setting
          name="Allowed domains"
          value={of.allowed_email_domains.join(", ")}
          variable="ALLOWED_EMAIL_DOMAINS"
          otherwise="all domains"
          about="Who can register with an invitation and a password. Single sign-on has its own list."
        />
      </dl>
    </Part>
  );
}
