//! What `GET /meta` reports.

use super::*;

#[test]
fn identity_variables_may_have_the_service_prefix_but_not_two_values() {
    assert_eq!(read(&[("SERVICE_INSTANCE_NAME", "Ops")]).unwrap().identity.name.as_deref(), Some("Ops"));
    assert!(read(&[("INSTANCE_NAME", "Ops"), ("SERVICE_INSTANCE_NAME", "Ops")]).is_ok());
    let text = refusal(&[("INSTANCE_NAME", "A"), ("SERVICE_INSTANCE_NAME", "B")]);
    assert!(text.contains("INSTANCE_NAME and SERVICE_INSTANCE_NAME differ"), "{text}");
}

#[test]
fn links_and_addresses_of_the_identity_are_checked() {
    for good in [
        ("INSTANCE_LOGO_URL", "https://corp.example/logo.png?v=1"),
        ("INSTANCE_SUPPORT_EMAIL", "help@corp.example"),
        ("INSTANCE_SUPPORT_URL", "https://corp.example/help"),
        ("SERVICE_INSTANCE_SUPPORT_URL", "http://wiki.corp.example"),
        ("INSTANCE_SUPPORT_URL", "mailto:help@corp.example?subject=Mayday"),
    ] {
        assert!(read(&[good]).is_ok(), "{good:?}");
    }
    for (name, bad) in [
        ("INSTANCE_LOGO_URL", "http://corp.example/logo.png"),
        ("INSTANCE_LOGO_URL", "/logo.png"),
        ("INSTANCE_LOGO_URL", "https://"),
        ("INSTANCE_LOGO_URL", "javascript:alert(1)"),
        ("INSTANCE_SUPPORT_EMAIL", "help"),
        ("INSTANCE_SUPPORT_URL", "javascript:alert(1)"),
        ("INSTANCE_SUPPORT_URL", "mailto:help"),
        ("INSTANCE_NAME", &"x".repeat(129)),
    ] {
        assert!(refusal(&[(name, bad)]).starts_with(&format!("{name}={bad:?}")), "{name}={bad}");
    }
}

#[test]
fn versions_are_semantic_and_a_minimum_above_the_offer_causes_a_warning() {
    let config = read(&[
        ("SERVICE_DESKTOP_VERSION", "2.1.0"),
        ("SERVICE_MIN_DESKTOP_VERSION", "2.0.0-rc.1"),
        ("SERVICE_RUNTIME_VERSION", "3.0.0"),
    ])
    .unwrap();
    assert!(config.warnings().is_empty());
    let some = |version: &str| Some(version.to_owned());
    let expected =
        Versions { desktop: some("2.1.0"), min_desktop: some("2.0.0-rc.1"), runtime: some("3.0.0") };
    assert_eq!(config.versions, expected);
    assert_eq!(read(&[]).unwrap().versions, Versions::default());
    for name in ["SERVICE_DESKTOP_VERSION", "SERVICE_MIN_DESKTOP_VERSION", "SERVICE_RUNTIME_VERSION"] {
        for bad in ["v1.0.0", "1.0", "newest"] {
            assert!(refusal(&[(name, bad)]).contains("such as 1.4.0"), "{name}={bad}");
        }
    }
    let ahead = read(&[("SERVICE_MIN_DESKTOP_VERSION", "999.0.0")]).unwrap().warnings();
    assert!(ahead[0].contains("SERVICE_MIN_DESKTOP_VERSION"), "{ahead:?}");
}
