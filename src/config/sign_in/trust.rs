//! The domains whose e-mail addresses count as proven although the provider does not say so.

use crate::config::reader::Reader;
use url::Url;

/// Domains where anybody can get an address.
const PUBLIC: [&str; 44] = [
    "126.com",
    "163.com",
    "aol.com",
    "bluewin.ch",
    "comcast.net",
    "fastmail.com",
    "free.fr",
    "freenet.de",
    "gmail.com",
    "gmx.at",
    "gmx.ch",
    "gmx.com",
    "gmx.de",
    "gmx.net",
    "googlemail.com",
    "hey.com",
    "hotmail.co.uk",
    "hotmail.com",
    "hotmail.fr",
    "icloud.com",
    "laposte.net",
    "libero.it",
    "live.com",
    "mac.com",
    "mail.com",
    "mail.ru",
    "me.com",
    "msn.com",
    "naver.com",
    "orange.fr",
    "outlook.com",
    "pm.me",
    "posteo.de",
    "proton.me",
    "protonmail.com",
    "qq.com",
    "t-online.de",
    "tuta.com",
    "web.de",
    "yahoo.co.jp",
    "yahoo.com",
    "yandex.com",
    "yandex.ru",
    "zoho.com",
];

/// Refuses `SSO_TRUST_EMAIL_DOMAINS` for a provider whose missing flag proves nothing.
pub(super) fn judge(reader: &mut Reader<'_>, issuer: Option<&str>, domains: &[String]) {
    if let Some(issuer) = issuer.filter(|issuer| !domains.is_empty() && is_of_many(issuer)) {
        reader.fault(format!(
            "SSO_TRUST_EMAIL_DOMAINS cannot be used with {issuer}, where anybody may have an account: name the issuer of \
             your own tenant"
        ));
    }
    for domain in domains.iter().filter(|domain| PUBLIC.contains(&domain.as_str())) {
        reader.fault(format!(
            "SSO_TRUST_EMAIL_DOMAINS cannot name {domain}, where anybody may have an address: name domains that your \
             organization alone owns"
        ));
    }
}

/// Whether an issuer serves several tenants, or personal accounts: an address without a flag is then unproven.
fn is_of_many(issuer: &str) -> bool {
    const HOSTS: [&str; 21] = [
        "access.line.me",
        "accounts.google.com",
        "api.login.yahoo.com",
        "appleid.apple.com",
        "bitbucket.org",
        "discord.com",
        "github.com",
        "gitlab.com",
        "id.twitch.tv",
        "kauth.kakao.com",
        "login.live.com",
        "login.salesforce.com",
        "nid.naver.com",
        "oauth.id.jumpcloud.com",
        "securetoken.google.com",
        "slack.com",
        "token.actions.githubusercontent.com",
        "www.amazon.com",
        "www.facebook.com",
        "www.linkedin.com",
        "www.paypal.com",
    ];
    // The last one is for personal accounts.
    const TENANTS: [&str; 4] =
        ["common", "organizations", "consumers", "9188040d-6c67-4b5c-b112-36a304b66dad"];
    let Ok(url) = Url::parse(issuer) else { return true };
    let host = url.host_str().unwrap_or_default();
    // Tenants that anybody can join.
    let is_of_customers = host.ends_with(".b2clogin.com") || host.ends_with(".ciamlogin.com");
    let is_microsoft = host.starts_with("login.microsoftonline.")
        || ["login.partner.microsoftonline.cn", "login.windows.net", "sts.windows.net"].contains(&host);
    let tenant =
        url.path_segments().and_then(|mut path| path.next()).unwrap_or_default().to_ascii_lowercase();
    HOSTS.contains(&host)
        || is_of_customers
        || (is_microsoft && (tenant.contains("%7b") || TENANTS.contains(&&*tenant)))
}
