//! Valid settings that deserve a warning at start and in `check-config`.

use super::{
    BackupConfig, BackupSecrets, BackupTarget, BaseUrl, Config, Gateway, JitPolicy, MailWay, SignInConfig,
    Sso, Versions,
};
use std::net::IpAddr;
use url::{Host, Url};

impl Config {
    /// One line each; none contains a secret.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.plain_addresses();
        if let Some(sso) = &self.sign_in.sso {
            warnings.extend(of_sso(sso));
        }
        warnings.extend(of_access(&self.sign_in));
        warnings.extend(of_versions(&self.versions));
        warnings.extend(of_backups(&self.backup));
        if let Some(MailWay::Api { url, .. }) = self.mail.as_ref().map(|mail| &mail.way)
            && Url::parse(url).is_ok_and(|url| url.scheme() == "http" && !is_private(&url))
        {
            warnings.push(format!(
                "SERVICE_MAIL_API_URL={url} is plain http: MAIL_API_KEY and links are sent unencrypted"
            ));
        }
        warnings.extend(self.gateway.as_ref().and_then(of_gateway));
        warnings
    }

    fn plain_addresses(&self) -> Vec<String> {
        let named = [
            ("SITE_ADDRESS", &self.site_address),
            ("API_BASE_URL", &self.api_base_url),
            ("FRONTEND_BASE_URL", &self.frontend_base_url),
        ];
        let plain = |url: &BaseUrl| !url.is_https() && !url.is_localhost();
        named
            .into_iter()
            .filter_map(|(name, url)| Some((name, url.as_ref().filter(|url| plain(url))?)))
            .map(|(name, url)| {
                format!("{name}={url} is plain http on a host other than localhost: passwords and keys are sent unencrypted")
            })
            .collect()
    }
}

/// The guard against private addresses runs whenever an address is used; obvious cases are reported
/// beforehand.
fn of_sso(sso: &Sso) -> Vec<String> {
    let mut warnings = Vec::new();
    for (name, url) in sso.provider_urls() {
        let Ok(parsed) = Url::parse(url) else { continue };
        let fault = match parsed.scheme() {
            _ if is_private(&parsed) => "names a private address",
            "http" => "is plain http",
            _ => continue,
        };
        if !sso.allow_private_provider_urls {
            warnings.push(format!(
                "{name}={url} {fault}: sign-in over SSO will be refused until it is a public https address, \
                 or SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS=true"
            ));
        }
    }
    if sso.jit_policy == JitPolicy::CreateMember && sso.allowed_domains.is_empty() {
        warnings.push(
            "SSO_JIT_POLICY=create_member without SSO_ALLOWED_DOMAINS: whoever has an account at the provider \
             becomes a member"
                .to_owned(),
        );
    }
    warnings
}

fn of_access(sign_in: &SignInConfig) -> Vec<String> {
    let mut warnings = Vec::new();
    let domains = &sign_in.allowed_email_domains;
    let is_allowed =
        |email: &str| email.rsplit('@').next().is_some_and(|host| domains.iter().any(|d| d == host));
    for email in sign_in.admin_emails.iter().filter(|email| !domains.is_empty() && !is_allowed(email)) {
        warnings.push(format!(
            "ADMIN_EMAILS names {email}, whose domain is not in ALLOWED_EMAIL_DOMAINS: that person cannot register \
             with an invitation"
        ));
    }
    if sign_in.trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
        warnings.push(
            "SERVICE_TRUSTED_PROXIES trusts every address: anybody can claim to be any client, and limits that \
             count by address hold nobody"
                .to_owned(),
        );
    }
    warnings
}

fn of_gateway(gateway: &Gateway) -> Option<String> {
    let url = Url::parse(&gateway.public_url).ok()?;
    (url.scheme() == "http" && !is_private(&url)).then(|| {
        format!(
            "AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL={url} is plain http on a host other than localhost: keys are sent \
             unencrypted"
        )
    })
}

fn of_versions(versions: &Versions) -> Option<String> {
    let read = |version: &Option<String>| version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")).to_owned();
    let (minimum, offered) = (versions.min_desktop.as_ref()?, read(&versions.desktop));
    let newer = semver::Version::parse(minimum).ok()? > semver::Version::parse(&offered).ok()?;
    newer.then(|| {
        format!(
            "SERVICE_MIN_DESKTOP_VERSION={minimum} is above the desktop version {offered}: every client that this \
             server offers is told that it is too old"
        )
    })
}

fn of_backups(backup: &BackupConfig) -> Vec<String> {
    let mut warnings = Vec::new();
    if backup.scheduled.as_ref().is_some_and(|scheduled| {
        scheduled.secrets == BackupSecrets::Included && matches!(scheduled.target, BackupTarget::S3(_))
    }) {
        warnings.push(
            "scheduled backups go to S3 storage with their secrets: whoever can read the bucket can read everything. \
             SERVICE_BACKUP_PASSPHRASE_FILE seals the secrets"
                .to_owned(),
        );
    }
    let endpoint = backup.s3.as_ref().filter(|s3| s3.is_plain()).and_then(|s3| s3.endpoint.as_deref());
    if let Some(endpoint) = endpoint
        && Url::parse(endpoint).is_ok_and(|url| !is_private(&url))
    {
        warnings.push(format!(
            "SERVICE_BACKUP_S3_ENDPOINT={endpoint} is plain http: backups can be read and changed on their way"
        ));
    }
    warnings
}

/// Whether the host is a literal address that is not public, or this machine.
pub(super) fn is_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => is_private_address(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => is_private_address(IpAddr::V6(address).to_canonical()),
        None => false,
    }
}

fn is_private_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let shared = v4.octets()[0] == 100 && v4.octets()[1] & 0xc0 == 64;
            v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.octets()[0] == 0 || shared
        }
        IpAddr::V6(v6) => {
            v6.is_loopback() || v6.is_unspecified() || v6.is_unique_local() || v6.is_unicast_link_local()
        }
    }
}
