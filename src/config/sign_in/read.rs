//! Reads who may sign in, and how, except for SSO.

use super::{CodeHost, SignInConfig, Sso};
use crate::config::reader::Reader;
use crate::config::{TelemetryMode, values};

impl SignInConfig {
    /// `mode` decides whether there is one organization if nothing else does.
    pub(in crate::config) fn read(reader: &mut Reader<'_>, mode: TelemetryMode) -> Self {
        let config = Self {
            password_enabled: reader.switch("PASSWORD_AUTH_ENABLED", true),
            code_host: CodeHost::read(reader),
            sso: Sso::read(reader),
            single_org: reader.switch("SINGLE_ORG_MODE", mode != TelemetryMode::HostedProduct),
            admin_emails: reader.list("ADMIN_EMAILS", values::email),
            allowed_email_domains: reader.list("ALLOWED_EMAIL_DOMAINS", values::domain),
            trusted_proxies: reader.list("SERVICE_TRUSTED_PROXIES", values::network),
            dashboard_per_hour: reader.rate("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", 1_000),
        };
        if !config.password_enabled && !asks_for_another_method(reader) {
            reader.fault(
                "PASSWORD_AUTH_ENABLED=false leaves no way to sign in: set HOST_OAUTH_CLIENT_ID and \
                 HOST_OAUTH_CLIENT_SECRET, or SSO_ENABLED=true with SSO_OIDC_ISSUER_URL, \
                 SSO_OIDC_CLIENT_ID and SSO_OIDC_CLIENT_SECRET",
            );
        }
        config
    }
}

/// Whether a method other than passwords is requested; errors in it are reported for its own variables.
fn asks_for_another_method(reader: &Reader<'_>) -> bool {
    let code_host = ["HOST_OAUTH_CLIENT_ID", "HOST_OAUTH_CLIENT_SECRET"];
    code_host.iter().any(|name| reader.text(name).is_some())
        || reader.text("SSO_ENABLED").is_some_and(|value| values::boolean(value) != Ok(false))
}

impl CodeHost {
    /// Configured with both id and secret; one without the other is refused.
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let id = reader.value("HOST_OAUTH_CLIENT_ID", values::token);
        let secret = reader.token("HOST_OAUTH_CLIENT_SECRET");
        let mut url =
            |name, default: &str| reader.value(name, values::http_url).unwrap_or_else(|| default.to_owned());
        let authorize_url =
            url("SERVICE_HOST_OAUTH_AUTHORIZE_URL", "https://github.com/login/oauth/authorize");
        let token_url = url("SERVICE_HOST_OAUTH_TOKEN_URL", "https://github.com/login/oauth/access_token");
        let api_url = url("SERVICE_HOST_OAUTH_API_URL", "https://api.github.com");
        let names = ["HOST_OAUTH_CLIENT_ID", "HOST_OAUTH_CLIENT_SECRET"];
        for (set, missing) in [(names[0], names[1]), (names[1], names[0])] {
            if reader.text(set).is_some() && reader.text(missing).is_none() {
                reader.fault(format!("{set} is set but {missing} is not: set both, or neither"));
            }
        }
        let api_url = api_url.trim_end_matches('/').to_owned();
        Some(Self { client_id: id?, client_secret: secret?, authorize_url, token_url, api_url })
    }
}
