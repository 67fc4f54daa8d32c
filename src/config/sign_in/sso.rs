//! Reads `SSO_*`; each may also be named `SERVICE_SSO_*`.

use super::{JitPolicy, Sso, trust};
use crate::config::reader::Reader;
use crate::config::values::{self, Expected};
use crate::roles::Role;

/// The default scopes.
const SCOPES: [&str; 3] = ["openid", "email", "profile"];
/// The variables that SSO requires.
const REQUIRED: [&str; 3] = ["SSO_OIDC_ISSUER_URL", "SSO_OIDC_CLIENT_ID", "SSO_OIDC_CLIENT_SECRET"];
const JIT_POLICIES: [(&str, JitPolicy); 3] = [
    ("disabled", JitPolicy::Disabled),
    ("existing_user", JitPolicy::ExistingUser),
    ("create_member", JitPolicy::CreateMember),
];

impl Sso {
    /// Values must be valid even if `SSO_ENABLED` is false, but only then may they be missing.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let enabled = reader.switch("SSO_ENABLED", false);
        reader.value("SSO_LOGIN_POLICY", login_policy);
        if enabled {
            refuse_missing(reader);
        }
        let issuer_url = reader.value("SSO_OIDC_ISSUER_URL", values::http_url);
        let client_id = reader.value("SSO_OIDC_CLIENT_ID", values::token);
        let client_secret = reader.token("SSO_OIDC_CLIENT_SECRET");
        let optional = Optional::read(reader);
        let jit_policy = reader.choice("SSO_JIT_POLICY", &JIT_POLICIES).unwrap_or(JitPolicy::Disabled);
        let allowed_domains = reader.list("SSO_ALLOWED_DOMAINS", values::domain);
        let trusted_email_domains = reader.list("SSO_TRUST_EMAIL_DOMAINS", values::domain);
        trust::judge(reader, issuer_url.as_deref(), &trusted_email_domains);
        let default_role = reader.value("SSO_DEFAULT_ROLE", default_role).unwrap_or(Role::Member);
        let display_name =
            reader.value("SSO_DISPLAY_NAME", values::name).unwrap_or_else(|| "Company SSO".to_owned());
        let scopes =
            reader.value("SSO_OIDC_SCOPES", scopes).unwrap_or_else(|| SCOPES.map(str::to_owned).to_vec());
        let callback_base_url = reader.base_url("SSO_OIDC_CALLBACK_BASE_URL");
        let allow_private_provider_urls = reader.switch("SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS", false);
        let sso = Self {
            issuer_url: issuer_url?,
            client_id: client_id?,
            client_secret: client_secret?,
            jit_policy,
            allowed_domains,
            trusted_email_domains,
            default_role,
            display_name,
            scopes,
            callback_base_url,
            allow_private_provider_urls,
            discovery_url: optional.discovery_url,
            authorization_endpoint: optional.authorization_endpoint,
            token_endpoint: optional.token_endpoint,
            jwks_uri: optional.jwks_uri,
            userinfo_endpoint: optional.userinfo_endpoint,
        };
        enabled.then_some(sso)
    }

    /// Every configured address of the provider, with its variable.
    pub fn provider_urls(&self) -> Vec<(&'static str, &str)> {
        let given = [
            ("SSO_OIDC_ISSUER_URL", Some(&self.issuer_url)),
            ("SSO_OIDC_DISCOVERY_URL", self.discovery_url.as_ref()),
            ("SSO_OIDC_AUTHORIZATION_ENDPOINT", self.authorization_endpoint.as_ref()),
            ("SSO_OIDC_TOKEN_ENDPOINT", self.token_endpoint.as_ref()),
            ("SSO_OIDC_JWKS_URI", self.jwks_uri.as_ref()),
            ("SSO_OIDC_USERINFO_ENDPOINT", self.userinfo_endpoint.as_ref()),
        ];
        given.into_iter().filter_map(|(name, url)| Some((name, url?.as_str()))).collect()
    }
}

/// Addresses that override what discovery says.
struct Optional {
    discovery_url: Option<String>,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    jwks_uri: Option<String>,
    userinfo_endpoint: Option<String>,
}

impl Optional {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            discovery_url: reader.value("SSO_OIDC_DISCOVERY_URL", values::http_url),
            authorization_endpoint: reader.value("SSO_OIDC_AUTHORIZATION_ENDPOINT", values::http_url),
            token_endpoint: reader.value("SSO_OIDC_TOKEN_ENDPOINT", values::http_url),
            jwks_uri: reader.value("SSO_OIDC_JWKS_URI", values::http_url),
            userinfo_endpoint: reader.value("SSO_OIDC_USERINFO_ENDPOINT", values::http_url),
        }
    }
}

fn refuse_missing(reader: &mut Reader<'_>) {
    for name in REQUIRED {
        if reader.text(name).is_none() {
            reader.fault(format!("SSO_ENABLED=true needs {name}: set it, or leave SSO_ENABLED out"));
        }
    }
}

fn login_policy(value: &str) -> Result<(), Expected> {
    match value {
        "optional" => Ok(()),
        "required" => Err("optional: SSO cannot be made the only way here. To have no passwords, set \
                           PASSWORD_AUTH_ENABLED=false"
            .into()),
        _ => Err("optional".into()),
    }
}

fn default_role(value: &str) -> Result<Role, Expected> {
    match Role::parse(value) {
        Some(Role::Owner) => {
            Err("member or admin: the owner is the person who claimed the instance, or was handed it".into())
        }
        Some(role) => Ok(role),
        None => Err("member or admin".into()),
    }
}

/// Scopes separated by spaces or commas; `openid` is always among them.
fn scopes(value: &str) -> Result<Vec<String>, Expected> {
    let mut scopes = vec!["openid".to_owned()];
    for scope in value.split([' ', ',']).filter(|scope| !scope.is_empty()) {
        if !scope.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\')) {
            return Err("scopes separated by spaces, such as openid email profile".into());
        }
        if !scopes.iter().any(|known| known == scope) {
            scopes.push(scope.to_owned());
        }
    }
    Ok(scopes)
}
