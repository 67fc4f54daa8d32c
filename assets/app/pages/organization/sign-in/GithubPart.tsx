import type { CodeHostSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { Check } from "./Check.tsx";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

/** GitHub, or a host with the same API. */
export function GithubPart({
  organization,
  of,
  callback,
}: {
  organization: number;
  of: CodeHostSettings | null;
  callback: string;
}) {
  if (!of) {
    return (
      <Part title="GitHub" on={false}>
        <div className={own.help}>
          <p className={classes.lead}>Create an OAuth app on GitHub with this callback URL:</p>
          <Snippet label="Callback URL for GitHub" text={callback} />
          <p className={classes.lead}>Then add its client ID and secret to the server's variables:</p>
          <Snippet label="Variables for GitHub" text={snippets.github} />
        </div>
      </Part>
    );
  }
  return (
    <Check organization={organization} provider="github" title="GitHub">
      <dl className={own.settings}>
        <Setting
          name="Callback URL"
          value={callback}
          variable="API_BASE_URL"
          about="The OAuth app must have exactly this URL."
          copied
        />
        <Setting name="Client ID" value={of.client_id} variable="HOST_OAUTH_CLIENT_ID" />
        <Setting name="Authorization" value={of.authorize_url} variable="SERVICE_HOST_OAUTH_AUTHORIZE_URL" />
        <Setting name="Token" value={of.token_url} variable="SERVICE_HOST_OAUTH_TOKEN_URL" />
        <Setting name="API" value={of.api_url} variable="SERVICE_HOST_OAUTH_API_URL" />
      </dl>
    </Check>
  );
}
