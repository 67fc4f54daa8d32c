import type { SsoSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { Check } from "./Check.tsx";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

const policies: Record<SsoSettings["jit_policy"], string> = {
  disabled: "Only people who are invited, or who have linked the account, get in.",
  existing_user: "Existing accounts are linked by a verified e-mail address; new people need an invitation.",
  create_member: "Whoever the provider lets in gets an account here.",
};
const list = (values: string[]): string | null => (values.length === 0 ? null : values.join(", "));

/** Single sign-on by OpenID Connect. */
export function SsoPart({
  organization,
  of,
  callback,
}: {
  organization: number;
  of: SsoSettings | null;
  callback: string;
}) {
  if (!of) {
    return (
      <Part title="Single sign-on (OpenID Connect)" on={false}>
        <div className={own.help}>
          <p className={classes.lead}>
            Make an application (confidential client, authorization code) at your provider with this callback address:
          </p>
          <Snippet label="Callback address for the provider" text={callback} />
          <p className={classes.lead}>Then put what it tells you into the file of variables:</p>
          <Snippet label="Variables for single sign-on" text={snippets.sso} />
        </div>
      </Part>
    );
  }
  return (
    <Check organization={organization} provider="sso" title="Single sign-on (OpenID Connect)">
      <dl className={own.settings}>
        <Setting
          name="Callback address"
          value={callback}
          variable="SSO_OIDC_CALLBACK_BASE_URL"
          about="Must be set at the provider exactly like this."
          copied
        />
        <Setting name="Issuer" value={of.issuer_url} variable="SSO_OIDC_ISSUER_URL" />
        <Setting name="Client id" value={of.client_id} variable="SSO_OIDC_CLIENT_ID" />
        <Setting name="Name on the button" value={of.display_name} variable="SSO_DISPLAY_NAME" />
        <Setting name="Sign-in" value={of.login_policy} variable="SSO_LOGIN_POLICY" about="Other ways in stay." />
        <Setting name="New people" value={of.jit_policy} variable="SSO_JIT_POLICY" about={policies[of.jit_policy]} />
        <Setting
          name="E-mail domains"
          value={list(of.allowed_domains)}
          variable="SSO_ALLOWED_DOMAINS"
          otherwise="all"
        />
        <Setting name="Role of new people" value={of.default_role} variable="SSO_DEFAULT_ROLE" />
        <Setting name="Scopes" value={of.scopes.join(" ")} variable="SSO_OIDC_SCOPES" />
        <Setting
          name="Private addresses"
          value={of.allow_private_provider_urls ? "allowed" : "refused"}
          variable="SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS"
          about={
            of.allow_private_provider_urls
              ? "The provider may be in a private network."
              : "A provider in a private network is not asked."
          }
        />
        <Setting
          name="Discovery"
          value={of.discovery_url}
          variable="SSO_OIDC_DISCOVERY_URL"
          otherwise="from the issuer"
        />
        <Setting
          name="Authorization"
          value={of.authorization_endpoint}
          variable="SSO_OIDC_AUTHORIZATION_ENDPOINT"
          otherwise="by discovery"
        />
        <Setting name="Token" value={of.token_endpoint} variable="SSO_OIDC_TOKEN_ENDPOINT" otherwise="by discovery" />
        <Setting name="Keys" value={of.jwks_uri} variable="SSO_OIDC_JWKS_URI" otherwise="by discovery" />
        <Setting
          name="User info"
          value={of.userinfo_endpoint}
          variable="SSO_OIDC_USERINFO_ENDPOINT"
          otherwise="by discovery"
        />
      </dl>
    </Check>
  );
}
