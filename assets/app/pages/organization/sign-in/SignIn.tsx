import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { isStatus, messageOf } from "../../../api/error.ts";
import { useMany } from "../../../api/instance.ts";
import { signInQuery } from "../../../api/organization-queries.ts";
import type { OrganizationSearch } from "../route.ts";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { GithubPart } from "./GithubPart.tsx";
import { MailPart } from "./MailPart.tsx";
import { PasswordPart } from "./PasswordPart.tsx";
import { RulesPart } from "./RulesPart.tsx";
import { ServerPart } from "./ServerPart.tsx";
import { SsoPart } from "./SsoPart.tsx";
import { TestResult } from "./TestResult.tsx";

/** How the server lets people sign in, and whether it works. */
export function SignIn({ organization }: { organization: number }) {
  const settings = useQuery(signInQuery(organization));
  const many = useMany();
  const { test } = useSearch({ strict: false }) as OrganizationSearch;
  if (isStatus(settings.error, 403, 404)) {
    return (
      <>
        <h2>Sign-in</h2>
        <p className={classes.lead}>
          {many
            ? "This server has several organizations. Sign-in is the same for all of them and is set up by the administrator of the server."
            : `The sign-in settings cannot be shown: ${messageOf(settings.error)}`}
        </p>
      </>
    );
  }
  return (
    <>
      <h2>Sign-in</h2>
      <p className={classes.lead}>
        How people sign in to this server. The server reads these settings from its variables (<code>.env.static</code>)
        when it starts. To change them, edit the file and restart the server.
      </p>
      {test !== undefined && <TestResult organization={organization} test={test} />}
      <Answer query={settings} what="The sign-in settings" rows={8}>
        {(found) => (
          <>
            <PasswordPart of={found.password} />
            <SsoPart organization={organization} of={found.sso} callback={found.callback_urls.sso} />
            <GithubPart organization={organization} of={found.github} callback={found.callback_urls.github} />
            <RulesPart of={found} />
            <MailPart of={found.mail} />
            <ServerPart of={found} />
          </>
        )}
      </Answer>
    </>
  );
}
