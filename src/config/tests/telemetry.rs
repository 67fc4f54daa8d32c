//! What is sent to others, and what is requested from them.

use super::*;

#[test]
fn a_build_from_source_sends_no_heartbeat_without_an_endpoint() {
    // Official builds are tested without the vendor's address, too.
    assert_eq!(
        read(&[]).unwrap().anonymous_telemetry,
        AnonymousTelemetry { disabled: false, endpoint: None }
    );
    let endpoint = ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", "http://telemetry.corp.example/v1?kind=server");
    let telemetry = read(&[endpoint]).unwrap().anonymous_telemetry;
    assert_eq!(telemetry.destination(), Some(endpoint.1));
    for (value, sent) in
        [("1", false), ("true", false), ("YES", false), ("0", true), ("no", true), ("", true)]
    {
        let values = [endpoint, ("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", value)];
        let telemetry = read(&values).unwrap().anonymous_telemetry;
        assert_eq!(telemetry.destination().is_some(), sent, "{value}");
    }
}

#[test]
fn invalid_values_are_refused() {
    for (name, bad, accepted) in [
        ("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", "2", "true or false"),
        ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", "telemetry.example", "http or https"),
        ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", "https://u:p@telemetry.example", "without user"),
        ("SERVICE_UPDATE_FEED_URL", "http://releases.example/list", "https"),
        ("SERVICE_UPDATE_FEED_URL", "file:///etc/passwd", "https"),
        ("SERVICE_DESKTOP_RELEASES_URL", "http://releases.example", "https"),
        ("SERVICE_DESKTOP_RELEASES_URL", "https://releases.example/?a=b", "?query"),
        ("SERVICE_DESKTOP_RELEASES_URL", "releases.example", "https"),
        ("SERVICE_TELEMETRY_MODE", "vendor", "local_dev, self_managed, hosted_product"),
    ] {
        let text = refusal(&[(name, bad)]);
        assert!(text.starts_with(&format!("{name}={bad:?}")) && text.contains(accepted), "{text}");
    }
}

#[test]
fn addresses_to_poll_are_off_or_kept_as_written() {
    let config = read(&[]).unwrap();
    assert_eq!((config.update_feed_url, config.desktop_releases_url), (None, None));
    let config = read(&[
        ("SERVICE_UPDATE_FEED_URL", "https://api.github.com/repos/a/b/releases?per_page=30"),
        ("SERVICE_DESKTOP_RELEASES_URL", "http://localhost:9000/mayday/"),
    ]);
    let config = config.unwrap();
    assert_eq!(
        config.update_feed_url.as_deref(),
        Some("https://api.github.com/repos/a/b/releases?per_page=30")
    );
    assert_eq!(config.desktop_releases_url.as_deref(), Some("http://localhost:9000/mayday"));
}

#[test]
fn the_mode_decides_the_default_of_single_org_mode_and_nothing_else() {
    let of = |mode: &str| read(&[("SERVICE_TELEMETRY_MODE", mode)]).unwrap();
    let unset = format!("{:?}", read(&[]).unwrap());
    for (mode, name, single) in [
        ("local_dev", "LocalDev", true),
        ("self_managed", "SelfManaged", true),
        ("hosted_product", "HostedProduct", false),
    ] {
        let config = of(mode);
        assert_eq!((config.telemetry_mode.as_str(), config.sign_in.single_org), (mode, single));
        let alike = format!("{config:?}")
            .replace(&format!("telemetry_mode: {name}"), "telemetry_mode: SelfManaged")
            .replace("single_org: false", "single_org: true");
        assert_eq!(alike, unset);
        let explicit = read(&[("SERVICE_TELEMETRY_MODE", mode), ("SINGLE_ORG_MODE", "true")]).unwrap();
        assert!(explicit.sign_in.single_org, "{mode}");
    }
}
