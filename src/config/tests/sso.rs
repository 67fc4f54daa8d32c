//! `SSO_*`.

use super::*;
use crate::roles::Role;

const ON: [(&str, &str); 4] = [
    ("SSO_ENABLED", "true"),
    ("SSO_OIDC_ISSUER_URL", "https://id.corp.example/"),
    ("SSO_OIDC_CLIENT_ID", "mayday"),
    ("SSO_OIDC_CLIENT_SECRET", "canary"),
];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    ON.iter().chain(more).copied().collect()
}

fn sso(more: &[(&'static str, &'static str)]) -> Sso {
    read(&with(more)).unwrap().sign_in.sso.unwrap()
}

#[test]
fn sso_has_its_defaults_and_shows_no_secret() {
    let config = read(&ON).unwrap();
    assert!(config.warnings().is_empty() && !format!("{config:?}").contains("canary"));
    let sso = config.sign_in.sso.unwrap();
    assert_eq!((sso.issuer_url.as_str(), sso.client_id.as_str()), ("https://id.corp.example/", "mayday"));
    assert_eq!(sso.client_secret.as_str(), "canary");
    assert_eq!((sso.jit_policy, sso.default_role), (JitPolicy::Disabled, Role::Member));
    assert_eq!(sso.display_name, "Company SSO");
    assert_eq!(sso.scopes, ["openid", "email", "profile"]);
    assert!(sso.allowed_domains.is_empty() && !sso.allow_private_provider_urls);
    assert!(sso.callback_base_url.is_none() && sso.discovery_url.is_none() && sso.jwks_uri.is_none());
}

#[test]
fn enabled_sso_names_every_missing_variable() {
    let text = refusal(&ON[..1]);
    assert_eq!(text.lines().count(), 3, "{text}");
    for (name, _) in &ON[1..] {
        assert!(text.contains(name), "{text}");
    }
    assert!(read(&ON[1..]).unwrap().sign_in.sso.is_none());
    assert!(refusal(&[("SSO_JIT_POLICY", "loud")]).contains("create_member"), "readable also while off");
}

#[test]
fn every_name_has_its_service_alias() {
    let aliased: Vec<(String, &str)> =
        ON.iter().map(|(name, value)| (format!("SERVICE_{name}"), *value)).collect();
    let aliased: Vec<(&str, &str)> = aliased.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(read(&aliased).unwrap().sign_in.sso.unwrap().client_id, "mayday");
    assert!(read(&with(&[("SERVICE_SSO_OIDC_CLIENT_SECRET", "canary")])).is_ok());
    let text = refusal(&with(&[("SERVICE_SSO_OIDC_CLIENT_SECRET", "canary2")]));
    assert!(text.contains("SERVICE_SSO_OIDC_CLIENT_SECRET differ") && !text.contains("canary"), "{text}");
    // Other variables have no alias.
    assert!(read(&[("SERVICE_ADMIN_EMAILS", "nonsense")]).unwrap().sign_in.admin_emails.is_empty());
}

#[test]
fn sso_cannot_be_made_the_only_method() {
    assert!(read(&with(&[("SSO_LOGIN_POLICY", "optional")])).is_ok());
    let text = refusal(&with(&[("SSO_LOGIN_POLICY", "required")]));
    assert!(text.contains("PASSWORD_AUTH_ENABLED=false"), "{text}");
    assert!(refusal(&[("SSO_LOGIN_POLICY", "strict")]).contains("expected optional"));
    assert!(!read(&with(&[("PASSWORD_AUTH_ENABLED", "false")])).unwrap().sign_in.password_enabled);
}

#[test]
fn the_default_role_is_member_or_admin() {
    assert_eq!(sso(&[("SSO_DEFAULT_ROLE", "admin")]).default_role, Role::Admin);
    let text = refusal(&[("SSO_DEFAULT_ROLE", "owner")]);
    assert!(text.contains("\"owner\"") && text.contains("handed it"), "{text}");
    assert!(refusal(&[("SSO_DEFAULT_ROLE", "root")]).contains("member or admin"));
}

#[test]
fn openid_is_always_requested_and_scopes_have_two_separators() {
    assert_eq!(sso(&[("SSO_OIDC_SCOPES", "email, groups  email")]).scopes, ["openid", "email", "groups"]);
    assert!(refusal(&[("SSO_OIDC_SCOPES", "email \"x\"")]).contains("SSO_OIDC_SCOPES"));
}

#[test]
fn policies_and_domains_are_read() {
    for (word, policy) in [
        ("disabled", JitPolicy::Disabled),
        ("existing_user", JitPolicy::ExistingUser),
        ("create_member", JitPolicy::CreateMember),
    ] {
        assert_eq!(sso(&[("SSO_JIT_POLICY", word)]).jit_policy, policy);
    }
    assert_eq!(sso(&[("SSO_ALLOWED_DOMAINS", "@Corp.Example")]).allowed_domains, ["corp.example"]);
    assert!(refusal(&[("SSO_ALLOWED_DOMAINS", "*.corp.example")]).contains("wildcards"));
    let open = read(&with(&[("SSO_JIT_POLICY", "create_member")])).unwrap().warnings();
    assert!(open[0].contains("SSO_ALLOWED_DOMAINS"), "{open:?}");
}

#[test]
fn domains_are_trusted_only_from_a_provider_with_one_tenant() {
    let trusting = |issuer: &'static str| {
        let mut settings = with(&[("SSO_TRUST_EMAIL_DOMAINS", "Corp.Example")]);
        settings.iter_mut().filter(|(name, _)| *name == "SSO_OIDC_ISSUER_URL").for_each(|own| own.1 = issuer);
        settings
    };
    for issuer in [
        "https://login.microsoftonline.com/0a1b2c3d-0000-4000-8000-0123456789ab/v2.0",
        "https://id.corp.example/realms/shop",
    ] {
        assert_eq!(
            read(&trusting(issuer)).unwrap().sign_in.sso.unwrap().trusted_email_domains,
            ["corp.example"],
            "{issuer}"
        );
    }
    for issuer in [
        "https://login.microsoftonline.com/common/v2.0",
        "https://login.microsoftonline.com/organizations/v2.0",
        "https://login.microsoftonline.com/consumers/v2.0",
        "https://login.microsoftonline.com/{tenantid}/v2.0",
        "https://login.microsoftonline.com/9188040D-6C67-4B5C-B112-36A304B66DAD/v2.0",
        "https://accounts.google.com",
        "https://gitlab.com",
        "https://slack.com",
        "https://shop.b2clogin.com/shop.onmicrosoft.com/v2.0",
        "https://oauth.id.jumpcloud.com/",
        "https://login.partner.microsoftonline.cn/common/v2.0",
        "https://login.windows.net/common",
    ] {
        assert!(refusal(&trusting(issuer)).contains("issuer of your own tenant"), "{issuer}");
    }
}

#[test]
fn domains_of_public_mail_services_are_not_trusted() {
    for domains in ["gmail.com", "corp.example, @Outlook.com"] {
        let refusal = refusal(&with(&[("SSO_TRUST_EMAIL_DOMAINS", domains)]));
        assert!(refusal.contains("your organization alone owns"), "{domains}: {refusal}");
    }
}

#[test]
fn addresses_of_the_provider_are_absolute_and_kept_as_written() {
    let given = sso(&[
        ("SSO_OIDC_DISCOVERY_URL", "https://id.corp.example/x/../y"),
        ("SSO_OIDC_CALLBACK_BASE_URL", "https://callback.example/"),
    ]);
    assert_eq!(given.discovery_url.as_deref(), Some("https://id.corp.example/x/../y"));
    assert_eq!(given.callback_base_url.unwrap().as_str(), "https://callback.example");
    for name in [
        "SSO_OIDC_ISSUER_URL",
        "SSO_OIDC_DISCOVERY_URL",
        "SSO_OIDC_AUTHORIZATION_ENDPOINT",
        "SSO_OIDC_TOKEN_ENDPOINT",
        "SSO_OIDC_JWKS_URI",
        "SSO_OIDC_USERINFO_ENDPOINT",
    ] {
        for bad in [
            "id.example",
            "//id.example",
            "https:id.example",
            "https://u:p@id.example",
            "https://id.example#x",
        ] {
            assert!(refusal(&[(name, bad)]).contains("absolute http or https"), "{name}={bad}");
        }
    }
}

#[test]
fn addresses_that_the_guard_will_refuse_cause_a_warning() {
    for url in [
        "http://id.corp.example",
        "https://localhost:8080",
        "https://10.0.0.7/realm",
        "https://[::1]",
        "https://[fd00::1]",
        "https://169.254.169.254",
        "https://[::ffff:127.0.0.1]",
        "https://100.64.0.1",
    ] {
        let values: Vec<_> =
            ON.iter().map(|(n, v)| (*n, if *n == "SSO_OIDC_ISSUER_URL" { url } else { v })).collect();
        let warnings = read(&values).unwrap().warnings();
        assert_eq!(warnings.len(), 1, "{url}: {warnings:?}");
        assert!(warnings[0].contains("SSO_OIDC_ISSUER_URL") && warnings[0].contains("will be refused"));
        let allowed: Vec<_> =
            values.iter().copied().chain([("SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS", "yes")]).collect();
        assert!(read(&allowed).unwrap().warnings().is_empty(), "{url}");
    }
}
