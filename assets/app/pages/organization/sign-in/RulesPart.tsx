import type { SignInSettings } from "../../../api/schema.d.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

/** Who may get in by their address, and as what. */
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
          about="Admins at least, once they have shown that the address is theirs. Their role cannot be lowered here."
        />
        <Setting
          name="Who may register"
          value={of.allowed_email_domains.join(", ")}
          variable="ALLOWED_EMAIL_DOMAINS"
          otherwise="addresses of every domain"
          about="With an invitation and a password. Single sign-on has its own list of domains."
        />
      </dl>
    </Part>
  );
}
