//! Who may sign in, and how.

mod read;
mod sso;
mod trust;

use crate::config::BaseUrl;
use crate::crypto::secret::Secret;
use crate::roles::Role;

/// The code host as an identity provider: GitHub, GitHub Enterprise or Gitea.
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

/// What a sign-in through SSO may do without an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JitPolicy {
    /// Nothing.
    Disabled,
    /// Link existing accounts.
    ExistingUser,
    /// Create accounts as well.
    CreateMember,
}

/// OIDC single sign-on; configured if `SSO_ENABLED` is true.
#[derive(Debug, Clone)]
pub struct Sso {
    /// `SSO_OIDC_ISSUER_URL`: exactly as the provider states it.
    pub issuer_url: String,
    /// `SSO_OIDC_CLIENT_ID`.
    pub client_id: String,
    /// `SSO_OIDC_CLIENT_SECRET`.
    pub client_secret: Secret,
    /// `SSO_JIT_POLICY`: `disabled` (default), `existing_user` or `create_member`.
    pub jit_policy: JitPolicy,
    /// `SSO_ALLOWED_DOMAINS`: e-mail domains for which accounts may be provisioned; empty: all.
    pub allowed_domains: Vec<String>,
    /// `SSO_TRUST_EMAIL_DOMAINS`: domains whose addresses count as proven if the provider says nothing about them.
    pub trusted_email_domains: Vec<String>,
    /// `SSO_DEFAULT_ROLE`: `member` (default) or `admin`.
    pub default_role: Role,
    /// `SSO_DISPLAY_NAME`: the label of the button. Default `Company SSO`.
    pub display_name: String,
    /// `SSO_OIDC_SCOPES`: default `openid email profile`; `openid` is always requested.
    pub scopes: Vec<String>,
    /// `SSO_OIDC_CALLBACK_BASE_URL`: default `API_BASE_URL`.
    pub callback_base_url: Option<BaseUrl>,
    /// `SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS`: true turns the guard off for all OIDC addresses.
    pub allow_private_provider_urls: bool,
    /// `SSO_OIDC_DISCOVERY_URL`: default `<issuer>/.well-known/openid-configuration`.
    pub discovery_url: Option<String>,
    /// `SSO_OIDC_AUTHORIZATION_ENDPOINT` and the next three override what discovery says; if the first three
    /// are all set, there is no discovery.
    pub authorization_endpoint: Option<String>,
    /// `SSO_OIDC_TOKEN_ENDPOINT`.
    pub token_endpoint: Option<String>,
    /// `SSO_OIDC_JWKS_URI`.
    pub jwks_uri: Option<String>,
    /// `SSO_OIDC_USERINFO_ENDPOINT`.
    pub userinfo_endpoint: Option<String>,
}

/// Who may sign in, and how.
#[derive(Debug, Clone)]
pub struct SignInConfig {
    /// `PASSWORD_AUTH_ENABLED`: default true.
    pub password_enabled: bool,
    /// `HOST_OAUTH_*`: configured if both id and secret are set.
    pub code_host: Option<CodeHost>,
    /// `SSO_*`.
    pub sso: Option<Sso>,
    /// `SINGLE_ORG_MODE`: default on, but off with `SERVICE_TELEMETRY_MODE=hosted_product`.
    pub single_org: bool,
    /// `ADMIN_EMAILS`, normalized: people who are at least admin once their e-mail is proven.
    pub admin_emails: Vec<String>,
    /// `ALLOWED_EMAIL_DOMAINS`, IDNA and lower case: who may register with an invitation; empty: all.
    pub allowed_email_domains: Vec<String>,
    /// `SERVICE_TRUSTED_PROXIES`: addresses and networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<ipnet::IpNet>,
    /// `SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR`: requests allowed for each person. Default 1,000; 0:
    /// unlimited.
    pub dashboard_per_hour: u32,
}
