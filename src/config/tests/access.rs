//! Who may sign in, and how, except for SSO.

use super::*;
use crate::crypto::secret::Secret;

fn sign_in(values: &[(&str, &str)]) -> SignInConfig {
    read(values).unwrap().sign_in
}

#[test]
fn switches_accept_several_spellings() {
    for (value, on) in
        [("true", true), ("1", true), ("YES", true), ("False", false), ("0", false), ("no", false)]
    {
        assert_eq!(sign_in(&[("SINGLE_ORG_MODE", value)]).single_org, on, "{value}");
    }
    for bad in ["on", "off", "2", "ja", "truefalse"] {
        let text = refusal(&[("SINGLE_ORG_MODE", bad)]);
        assert!(text.contains(&format!("{bad:?}")) && text.contains("true or false"), "{text}");
    }
}

#[test]
fn the_default_of_single_org_mode_depends_on_the_telemetry_mode() {
    for (mode, single) in [("local_dev", true), ("self_managed", true), ("hosted_product", false)] {
        let mode = ("SERVICE_TELEMETRY_MODE", mode);
        assert_eq!(sign_in(&[mode]).single_org, single);
        for (value, on) in [("true", true), ("false", false)] {
            assert_eq!(sign_in(&[mode, ("SINGLE_ORG_MODE", value)]).single_org, on);
        }
    }
}

#[test]
fn without_passwords_another_method_is_required() {
    let off = ("PASSWORD_AUTH_ENABLED", "false");
    let text = refusal(&[off]);
    for name in ["PASSWORD_AUTH_ENABLED", "HOST_OAUTH_CLIENT_ID", "HOST_OAUTH_CLIENT_SECRET", "SSO_ENABLED"] {
        assert!(text.contains(name), "{text}");
    }
    let host = [off, ("HOST_OAUTH_CLIENT_ID", "id"), ("HOST_OAUTH_CLIENT_SECRET", "canary")];
    assert!(!sign_in(&host).password_enabled);
    // An error in the other method is reported once, for its own variables.
    assert_eq!(refusal(&host[..2]).lines().count(), 1);
    assert!(refusal(&[off, ("SSO_ENABLED", "false")]).contains("no way to sign in"));
}

#[test]
fn the_code_host_needs_id_and_secret() {
    let (id, secret) = (("HOST_OAUTH_CLIENT_ID", "id"), ("HOST_OAUTH_CLIENT_SECRET", "canary"));
    let text = refusal(&[id]);
    assert_eq!(text, "HOST_OAUTH_CLIENT_ID is set but HOST_OAUTH_CLIENT_SECRET is not: set both, or neither");
    let text = refusal(&[secret]);
    assert!(text.contains("HOST_OAUTH_CLIENT_ID is not") && !text.contains("canary"), "{text}");
    let host = sign_in(&[id, secret, ("SERVICE_HOST_OAUTH_API_URL", "https://git.example/api/v3/")]);
    assert!(!format!("{host:?}").contains("canary"));
    let host = host.code_host.unwrap();
    assert_eq!((host.client_id.as_str(), host.client_secret.as_str()), ("id", "canary"));
    assert_eq!(host.authorize_url, "https://github.com/login/oauth/authorize");
    assert_eq!(host.token_url, "https://github.com/login/oauth/access_token");
    assert_eq!(host.api_url, "https://git.example/api/v3");
    for bad in ["git.example", "https://u:p@git.example", "https://git.example/#x", "file:///etc/passwd"] {
        assert!(refusal(&[("SERVICE_HOST_OAUTH_TOKEN_URL", bad)]).contains("absolute http"), "{bad}");
    }
    assert!(sign_in(&[]).code_host.is_none());
}

#[test]
fn admin_addresses_are_normalized_and_invalid_ones_named() {
    let listed = sign_in(&[("ADMIN_EMAILS", " Ada@Example.com, bob@example.com,,ada@example.com ")]);
    assert_eq!(listed.admin_emails, ["ada@example.com", "bob@example.com"]);
    let text = refusal(&[("ADMIN_EMAILS", "ada@example.com, ada, a@x@corp.com")]);
    assert!(text.contains("\"ada\"") && text.contains("\"a@x@corp.com\""), "{text}");
    assert!(!text.contains("ada@example.com\" is"), "{text}");
}

#[test]
fn domains_are_normalized_and_never_patterns() {
    let domains = |value| sign_in(&[("ALLOWED_EMAIL_DOMAINS", value)]).allowed_email_domains;
    assert_eq!(domains("Corp.Example, @other.example"), ["corp.example", "other.example"]);
    assert_eq!(domains("Bücher.example,xn--bcher-kva.example"), ["xn--bcher-kva.example"]);
    for bad in
        ["*.corp.example", "*", "corp", "a@corp.example", ".corp.example", "corp.example.", "a b.example"]
    {
        let text = refusal(&[("ALLOWED_EMAIL_DOMAINS", bad)]);
        assert!(text.contains(&format!("{bad:?}")) && text.contains("domain"), "{text}");
    }
}

#[test]
fn proxies_are_addresses_and_networks() {
    let listed =
        sign_in(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1, 10.1.2.3/8,::1,fd00::/8,::ffff:10.0.0.9")]);
    let listed: Vec<String> = listed.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(listed, ["127.0.0.1/32", "10.0.0.0/8", "::1/128", "fd00::/8", "10.0.0.9/32"]);
    for bad in ["proxy.example", "10.0.0.0/33", "10.0.0", "*"] {
        let text = refusal(&[("SERVICE_TRUSTED_PROXIES", bad)]);
        assert!(text.contains("SERVICE_TRUSTED_PROXIES") && text.contains("10.0.0.0/8"), "{text}");
    }
    let all = read(&[("SERVICE_TRUSTED_PROXIES", "0.0.0.0/0")]).unwrap();
    assert!(all.warnings()[0].contains("every address"));
}

#[test]
fn requests_per_hour_are_bounded() {
    let per_hour = |value| sign_in(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", value)]).dashboard_per_hour;
    assert_eq!((per_hour(""), per_hour("0"), per_hour("1000000")), (1_000, 0, 1_000_000));
    for bad in ["-1", "1000001", "none"] {
        let text = refusal(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", bad)]);
        assert!(text.contains("from 0 to 1000000"), "{text}");
    }
}

#[test]
fn project_rates_are_bounded() {
    let usual = read(&[]).unwrap().rate_limits;
    let limits = |errors, logs, maps, kilobytes, replays| RateLimits {
        errors_per_second: errors,
        logs_per_second: logs,
        kilobytes_per_second: kilobytes,
        replays_per_second: replays,
        sourcemaps_per_hour: maps,
    };
    assert_eq!(usual, limits(1_000, 5_000, 100, 10_000, 200));
    let names = [
        "ERRORS_PER_SECOND",
        "LOGS_PER_SECOND",
        "SOURCEMAPS_PER_HOUR",
        "KILOBYTES_PER_SECOND",
        "REPLAYS_PER_SECOND",
    ];
    let names = names.map(|name| format!("SERVICE_RATE_LIMIT_{name}"));
    let set = [
        (names[0].as_str(), "0"),
        (&names[1], "1000000"),
        (&names[2], "1"),
        (&names[3], "7"),
        (&names[4], "9"),
    ];
    assert_eq!(read(&set).unwrap().rate_limits, limits(0, 1_000_000, 1, 7, 9));
    for name in &names {
        let text = refusal(&[(name, "1000001")]);
        assert!(text.contains(name) && text.contains("from 0 to 1000000"), "{text}");
    }
}

#[test]
fn the_metrics_token_is_ascii_and_never_shown() {
    let token = |value| read(&[("SERVICE_METRICS_TOKEN", value)]).unwrap().metrics_token;
    assert_eq!((token(""), token("canary")), (None, Some(Secret::new("canary"))));
    let text = refusal(&[("SERVICE_METRICS_TOKEN", "canäry")]);
    assert!(text.contains("SERVICE_METRICS_TOKEN") && !text.contains("canäry"), "{text}");
}

#[test]
fn the_disk_floor_is_bounded() {
    let floor = |value| read(&[("SERVICE_DISK_FLOOR_MB", value)]).unwrap().disk_floor_bytes;
    assert_eq!((floor(""), floor("16")), (256 << 20, 16 << 20));
    let text = refusal(&[("SERVICE_DISK_FLOOR_MB", "15")]);
    assert!(text.contains("from 16 to 1000000"), "{text}");
}

#[test]
fn an_admin_outside_the_allowed_domains_causes_a_warning() {
    let with = |admins| {
        let values = [("ADMIN_EMAILS", admins), ("ALLOWED_EMAIL_DOMAINS", "corp.example")];
        read(&values).unwrap().warnings()
    };
    assert!(with("ada@corp.example").is_empty());
    assert!(with("ada@evilcorp.example")[0].contains("ada@evilcorp.example"));
    assert!(read(&[("ADMIN_EMAILS", "ada@corp.example")]).unwrap().warnings().is_empty());
}
