//! How people sign in, and who may.

mod read;
mod sso;

use crate::config::BaseUrl;
use crate::crypto::secret::Secret;
use crate::roles::Role;

/// The code host as an identity provider: GitHub, a GitHub Enterprise, a Gitea.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeHost {
    /// `HOST_OAUTH_CLIENT_ID`.
    pub client_id: String,
    /// `HOST_OAUTH_CLIENT_SECRET`.
    pub client_secret: Secret,
    /// `SERVICE_HOST_OAUTH_AUTHORIZE_URL`: default `https://github.com/login/oauth/authorize`.
    pub authorize_url: String,
    /// `SERVICE_HOST_OAUTH_TOKEN_URL`: default `https://github.com/login/oauth/access_token`.
    pub token_url: String,
    /// `SERVICE_HOST_OAUTH_API_URL`: default `https://api.github.com`.
    pub api_url: String,
}

/// Whom a sign-in over SSO may make or link without an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JitPolicy {
    /// Nobody.
    Disabled,
    /// Links accounts that there are.
    ExistingUser,
    /// Makes accounts, too.
    CreateMember,
}

/// OIDC single sign-on; there when `SSO_ENABLED` is true.
#[derive(Debug, Clone)]
pub struct Sso {
    /// `SSO_OIDC_ISSUER_URL`: exactly as the provider names itself.
    pub issuer_url: String,
    /// `SSO_OIDC_CLIENT_ID`.
    pub client_id: String,
    /// `SSO_OIDC_CLIENT_SECRET`.
    pub client_secret: Secret,
    /// `SSO_JIT_POLICY`: `disabled` (default), `existing_user` or `create_member`.
    pub jit_policy: JitPolicy,
    /// `SSO_ALLOWED_DOMAINS`: e-mail domains allowed for provisioning; empty: all.
    pub allowed_domains: Vec<String>,
    /// `SSO_DEFAULT_ROLE`: `member` (default) or `admin`.
    pub default_role: Role,
    /// `SSO_DISPLAY_NAME`: on the button. Default `Company SSO`.
    pub display_name: String,
    /// `SSO_OIDC_SCOPES`: default `openid email profile`; `openid` is always asked for.
    pub scopes: Vec<String>,
    /// `SSO_OIDC_CALLBACK_BASE_URL`: default `API_BASE_URL`.
    pub callback_base_url: Option<BaseUrl>,
    /// `SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS`: true switches the guard off for all OIDC addresses.
    pub allow_private_provider_urls: bool,
    /// `SSO_OIDC_DISCOVERY_URL`: default `<issuer>/.well-known/openid-configuration`.
    pub discovery_url: Option<String>,
    /// `SSO_OIDC_AUTHORIZATION_ENDPOINT` and the next three take the place of what discovery says;
    /// with all of the first three, none is made.
    pub authorization_endpoint: Option<String>,
    /// `SSO_OIDC_TOKEN_ENDPOINT`.
    pub token_endpoint: Option<String>,
    /// `SSO_OIDC_JWKS_URI`.
    pub jwks_uri: Option<String>,
    /// `SSO_OIDC_USERINFO_ENDPOINT`.
    pub userinfo_endpoint: Option<String>,
}

/// How people sign in, and who may.
#[derive(Debug, Clone)]
pub struct SignInConfig {
    /// `PASSWORD_AUTH_ENABLED`: default true.
    pub password_enabled: bool,
    /// `HOST_OAUTH_*`: with both id and secret.
    pub code_host: Option<CodeHost>,
    /// `SSO_*`.
    pub sso: Option<Sso>,
    /// `SINGLE_ORG_MODE`: default on, but off with `SERVICE_TELEMETRY_MODE=hosted_product`.
    pub single_org: bool,
    /// `ADMIN_EMAILS`, normalised: at least admin once their e-mail is proven.
    pub admin_emails: Vec<String>,
    /// `ALLOWED_EMAIL_DOMAINS`, IDNA and lower case: who may register with an invitation; empty: all.
    pub allowed_email_domains: Vec<String>,
    /// `SERVICE_TRUSTED_PROXIES`: addresses and networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<ipnet::IpNet>,
    /// `SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR`: requests a person may make. Default 1,000; 0: any number.
    pub dashboard_per_hour: u32,
}
