//! The sign-in settings, as seen by administrators; only for an instance with one organization, because the
//! settings belong to the instance.

pub mod http;

use crate::accounts::flows::methods::Providers;
use crate::accounts::me::ProviderKind;
use crate::config::{CodeHost, Config, JitPolicy, MailWay, Sso};
use crate::roles::Role;
use serde::Serialize;
use utoipa::ToSchema;

/// The configuration, without secrets.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignInSettings {
    pub password: PasswordSettings,
    pub github: Option<CodeHostSettings>,
    pub sso: Option<SsoSettings>,
    /// The callback addresses of providers, whether or not they are configured yet.
    pub callback_urls: CallbackUrls,
    /// `ADMIN_EMAILS`.
    pub admin_emails: Vec<String>,
    /// `ALLOWED_EMAIL_DOMAINS`; empty: all.
    pub allowed_email_domains: Vec<String>,
    pub single_org_mode: bool,
    pub mail: MailSettings,
    /// `SERVICE_TRUSTED_PROXIES`.
    pub trusted_proxies: Vec<String>,
    /// Requests that a person may send to the dashboard API in an hour; 0: unlimited.
    pub requests_per_hour: u32,
}

/// Addresses to register at the provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallbackUrls {
    pub github: String,
    pub sso: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PasswordSettings {
    pub enabled: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CodeHostSettings {
    pub client_id: String,
    pub authorize_url: String,
    pub token_url: String,
    pub api_url: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SsoSettings {
    pub issuer_url: String,
    pub client_id: String,
    /// `optional`.
    pub login_policy: &'static str,
    pub jit_policy: JitPolicyName,
    pub allowed_domains: Vec<String>,
    pub trusted_email_domains: Vec<String>,
    pub default_role: Role,
    pub display_name: String,
    pub scopes: Vec<String>,
    pub allow_private_provider_urls: bool,
    pub discovery_url: Option<String>,
    pub authorization_endpoint: Option<String>,
    pub token_endpoint: Option<String>,
    pub jwks_uri: Option<String>,
    pub userinfo_endpoint: Option<String>,
}

/// What a sign-in may do without an invitation.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JitPolicyName {
    Disabled,
    ExistingUser,
    CreateMember,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MailSettings {
    pub kind: MailKind,
    /// The sender.
    pub from: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailKind {
    Api,
    Smtp,
    /// Not configured: links are passed on by hand.
    None,
}

impl SignInSettings {
    pub fn of(config: &Config, single_org: bool, providers: &Providers) -> Self {
        let sign_in = &config.sign_in;
        let (kind, from) = match &config.mail {
            None => (MailKind::None, None),
            Some(mail) => {
                let kind = if matches!(mail.way, MailWay::Smtp(_)) { MailKind::Smtp } else { MailKind::Api };
                (kind, Some(mail.from.clone()))
            }
        };
        Self {
            password: PasswordSettings { enabled: sign_in.password_enabled },
            github: sign_in.code_host.as_ref().map(code_host),
            sso: sign_in.sso.as_ref().map(sso),
            callback_urls: CallbackUrls {
                github: providers.callback(ProviderKind::GitHub).to_owned(),
                sso: providers.callback(ProviderKind::Sso).to_owned(),
            },
            admin_emails: sign_in.admin_emails.clone(),
            allowed_email_domains: sign_in.allowed_email_domains.clone(),
            single_org_mode: single_org,
            mail: MailSettings { kind, from },
            trusted_proxies: sign_in.trusted_proxies.iter().map(ToString::to_string).collect(),
            requests_per_hour: sign_in.dashboard_per_hour,
        }
    }
}

fn code_host(host: &CodeHost) -> CodeHostSettings {
    CodeHostSettings {
        client_id: host.client_id.clone(),
        authorize_url: host.authorize_url.clone(),
        token_url: host.token_url.clone(),
        api_url: host.api_url.clone(),
    }
}

fn sso(settings: &Sso) -> SsoSettings {
    let jit_policy = match settings.jit_policy {
        JitPolicy::Disabled => JitPolicyName::Disabled,
        JitPolicy::ExistingUser => JitPolicyName::ExistingUser,
        JitPolicy::CreateMember => JitPolicyName::CreateMember,
    };
    SsoSettings {
        issuer_url: settings.issuer_url.clone(),
        client_id: settings.client_id.clone(),
        login_policy: "optional",
        jit_policy,
        allowed_domains: settings.allowed_domains.clone(),
        trusted_email_domains: settings.trusted_email_domains.clone(),
        default_role: settings.default_role,
        display_name: settings.display_name.clone(),
        scopes: settings.scopes.clone(),
        allow_private_provider_urls: settings.allow_private_provider_urls,
        discovery_url: settings.discovery_url.clone(),
        authorization_endpoint: settings.authorization_endpoint.clone(),
        token_endpoint: settings.token_endpoint.clone(),
        jwks_uri: settings.jwks_uri.clone(),
        userinfo_endpoint: settings.userinfo_endpoint.clone(),
    }
}
