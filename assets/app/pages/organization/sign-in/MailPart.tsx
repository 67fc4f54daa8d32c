import type { SignInSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

const ways = { api: "a mail service's API", smtp: "SMTP" };

/** How invitations and links reach people. */
export function MailPart({ of }: { of: SignInSettings["mail"] }) {
  if (of.kind === "none") {
    return (
      <Part title="Mail" on={false}>
        <div className={own.help}>
          <p className={classes.lead}>
            Nothing is sent until mail is set up: copy invitation and password links and pass them on yourself. To set
            up mail, add to the server's variables:
          </p>
          <Snippet label="Variables for mail" text={snippets.mail} />
        </div>
      </Part>
    );
  }
  return (
    <Part title="Mail" on>
      <dl className={own.settings}>
        <Setting
          name="Sent through"
          value={ways[of.kind]}
          variable={of.kind === "api" ? "MAIL_API_KEY" : "SERVICE_MAIL_SMTP_URL"}
        />
        <Setting name="From" value={of.from} variable="MAIL_FROM_EMAIL" />
      </dl>
    </Part>
  );
}
