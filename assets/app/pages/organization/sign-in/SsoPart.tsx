import type { SsoSettings } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { Check } from "./Check.tsx";
import { snippets } from "./env.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

const policies: Record<SsoSettings["jit_policy"], string> = {
  disabled: "Only people with an invitation or a linked account can sign in.",
  existing_user: "Existing accounts are linked by verified e-mail address. New people need an invitation.",
  create_member: "Everyone who can sign in at the provider gets an account here.",
};
const list = (values: string[]): string | null => (values.length === 0 ? null : values.join(", "));

/** Single sign-on with OpenID Connect. */
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
            Create an application (confidential client, authorization code) at your provider with this callback URL:
          </p>
          <Snippet label="Callback URL for the provider" text={callback} />
          <p className={classes.lead}>Then add what the provider gives you to the server's variables:</p>
          <Snippet label="Variables for single sign-on" text={snippets.sso} />
        </div>
      </Part>
    );
  }
  return (
    <Check organization={organization} provider="sso" title="Single sign-on (OpenID Connect)">
      <dl className={own.settings}>
        <Setting
          name="Callback URL"
          value={callback}
          variable="SSO_OIDC_CALLBACK_BASE_URL"
          about="The provider must have exactly this URL."
          copied
        />
        <Setting name="Issuer" value={of.issuer_url} variable="SSO_OIDC_ISSUER_URL" />
        <Setting name="Client ID" value={of.client_id} variable="SSO_OIDC_CLIENT_ID" />
        <Setting name="Button label" value={of.display_name} variable="SSO_DISPLAY_NAME" />
        <Setting
          name="Sign-in"
          value={of.login_policy}
          variable="SSO_LOGIN_POLICY"
          about="Other sign-in methods stay available."
        />
        <Setting name="New people" value={of.jit_policy} variable="SSO_JIT_POLICY" about={policies[of.jit_policy]} />
        <Setting
          name="E-mail domains"
          value={list(of.allowed_domains)}
          variable="SSO_ALLOWED_DOMAINS"
          otherwise="all"
        />
        <Setting
          name="Trusted e-mail domains"
          value={list(of.trusted_email_domains)}
          variable="SSO_TRUST_EMAIL_DOMAINS"
          otherwise="none"
          about="Addresses of these count as proven if the provider says nothing about them."
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
              : "Providers in private networks are not contacted."
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
          otherwise="from discovery"
        />
        <Setting name="Token" value={of.token_endpoint} variable="SSO_OIDC_TOKEN_ENDPOINT" otherwise="from discovery" />
        <Setting name="Keys" value={of.jwks_uri} variable="SSO_OIDC_JWKS_URI" otherwise="from discovery" />
        <Setting
          name="User info"
          value={of.userinfo_endpoint}
          variable="SSO_OIDC_USERINFO_ENDPOINT"
          otherwise="from discovery"
        />
      </dl>
    </Check>
  );
}
