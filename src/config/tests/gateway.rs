//! `AGENT_GATEWAY_*`.

use super::*;
use std::time::Duration;

const ON: [(&str, &str); 4] = [
    ("AGENT_GATEWAY_ENABLED", "true"),
    ("AGENT_GATEWAY_PROXY_BASE_URL", "http://gateway:4000/"),
    ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", "https://mayday.example/llm"),
    ("AGENT_GATEWAY_PROXY_MASTER_KEY", "sk-canary"),
];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = ON.into_iter().filter(|(name, _)| more.iter().all(|(other, _)| other != name));
    kept.chain(more.iter().copied()).collect()
}

fn gateway(more: &[(&str, &str)]) -> Gateway {
    read(&with(more)).unwrap().gateway.unwrap()
}

#[test]
fn the_gateway_is_off_unless_enabled_and_then_needs_all_settings() {
    assert!(read(&[]).unwrap().gateway.is_none());
    assert!(read(&with(&[("AGENT_GATEWAY_ENABLED", "false")])).unwrap().gateway.is_none());
    let on = gateway(&[]);
    assert_eq!((on.admin_url.as_str(), on.public_url.as_str()), ("http://gateway:4000", ON[2].1));
    assert_eq!(on.timeout, Duration::from_secs(30));
    assert_eq!((on.user_budget_cents, on.organization_budget_cents), (500, None));
    assert!(!format!("{on:?}").contains("canary"));
    for (missing, _) in &ON[1..] {
        let text = refusal(&with(&[(missing, "")]));
        assert!(text.contains(&format!("AGENT_GATEWAY_ENABLED=true needs {missing}")), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}

#[test]
fn budgets_have_cents_and_only_an_organizations_may_be_unlimited() {
    for (given, cents) in [("0.01", 1), ("7.5", 750), ("7.50", 750), ("1000000", 100_000_000)] {
        let on = gateway(&[
            ("AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", given),
            ("AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD", given),
        ]);
        assert_eq!((on.user_budget_cents, on.organization_budget_cents), (cents, Some(cents)), "{given}");
    }
    assert_eq!(gateway(&[("AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD", "0")]).organization_budget_cents, None);
    let wrong = ["-1", "$5", "5.001", "5.", ".5", "1e3", "1000000.01", "five", "99999999999999999999"];
    for name in ["AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", "AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD"] {
        for bad in wrong {
            assert!(refusal(&[(name, bad)]).contains("US dollars from 0"), "{name}={bad}");
        }
    }
    assert!(refusal(&[("AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", "0")]).contains("from 0.01"));
}

#[test]
fn values_are_checked_even_while_off_and_the_key_is_never_shown() {
    for (name, bad) in [
        ("AGENT_GATEWAY_ENABLED", "on"),
        ("AGENT_GATEWAY_PROXY_BASE_URL", "gateway:4000"),
        ("AGENT_GATEWAY_PROXY_BASE_URL", "http://gateway:4000?key=1"),
        ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", "mayday.example/llm"),
        ("AGENT_GATEWAY_PROXY_TIMEOUT_SECONDS", "0"),
        ("AGENT_GATEWAY_PROXY_TIMEOUT_SECONDS", "601"),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", "sk-canäry"),
    ] {
        let text = refusal(&[(name, bad)]);
        assert!(text.contains(name) && !text.contains("canäry"), "{text}");
    }
}

#[test]
fn differing_master_keys_are_refused_and_not_shown() {
    let text = refusal(&with(&[("PROXY_MASTER_KEY", "sk-other")]));
    assert!(text.contains("AGENT_GATEWAY_PROXY_MASTER_KEY and PROXY_MASTER_KEY differ"), "{text}");
    assert!(!text.contains("canary") && !text.contains("other"), "{text}");
    assert!(read(&with(&[("PROXY_MASTER_KEY", "sk-canary")])).is_ok());
    let off = [("AGENT_GATEWAY_ENABLED", "false"), ("PROXY_MASTER_KEY", "sk-other")];
    assert!(read(&with(&off)).is_ok());
}

#[test]
fn an_admin_address_reachable_from_the_internet_is_noticed() {
    let exposure = |more: &[(&'static str, &'static str)]| read(&with(more)).unwrap().gateway_exposure();
    for private in
        ["http://gateway:4000", "http://10.0.0.7:4000", "http://localhost:4000", "http://[fd00::7]:4000"]
    {
        assert_eq!(exposure(&[("AGENT_GATEWAY_PROXY_BASE_URL", private)]), None, "{private}");
    }
    for public in ["http://8.8.8.8:4000", "https://[2606:4700::1]/", "https://mayday.example:4000"] {
        let text = exposure(&[("AGENT_GATEWAY_PROXY_BASE_URL", public)]).unwrap();
        assert!(text.contains("must not be reachable from the internet"), "{text}");
    }
    let text = exposure(&[
        ("SITE_ADDRESS", "errors.example"),
        ("AGENT_GATEWAY_PROXY_BASE_URL", "https://errors.example/admin"),
    ]);
    assert!(text.unwrap().contains("everybody uses"));
}

#[test]
fn an_unencrypted_public_address_causes_a_warning() {
    let warnings = |url| read(&with(&[("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", url)])).unwrap().warnings();
    assert!(warnings("http://mayday.example/llm")[0].contains("plain http"));
    assert!(
        warnings("http://localhost:4000").is_empty() && warnings("https://mayday.example/llm").is_empty()
    );
}
