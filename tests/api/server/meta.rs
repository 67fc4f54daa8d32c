//! `GET /meta`.

use crate::support::{Server, Value, json, world};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// What `/api/v1/meta` returns on a server with these variables.
fn meta(variables: &[(&str, &str)]) -> Value {
    Server::start_with(variables).anonymous().get("/meta").send().expect(200)
}

#[test]
fn meta_describes_the_instance() {
    let world = world();
    let meta = world.anonymous().get("/meta").send().expect(200);
    let version = json!(env!("CARGO_PKG_VERSION"));
    for field in ["serverVersion", "desktopVersion", "runtimeVersion", "minDesktopVersion"] {
        assert_eq!(meta[field], version, "{field}");
    }
    assert_eq!(meta["minDesktopVersionEnforced"], false);
    let capabilities = &meta["capabilities"];
    assert_eq!(capabilities["contractVersion"], 1);
    assert_eq!(
        capabilities["deployment"],
        json!({"mode": "self_managed", "displayName": "localhost", "logoUrl": null})
    );
    for off in ["billing", "usageMetering", "cloudWorkspaces", "agentGateway"] {
        assert_eq!(capabilities[off], false, "{off}");
    }
    let base = format!("http://localhost:{}", world.server.port());
    assert_eq!(capabilities["webApp"], json!({"available": true, "baseUrl": base}));
    assert_eq!(capabilities["support"], json!({"kind": "none", "email": null, "url": null}));
}

#[test]
fn meta_shows_the_configured_identity() {
    let server = Server::start_with(&[
        ("SITE_ADDRESS", "errors.example"),
        ("FRONTEND_BASE_URL", "https://app.example"),
        ("SERVICE_INSTANCE_NAME", "Our errors"),
        ("INSTANCE_LOGO_URL", "https://example.com/logo.png"),
        ("INSTANCE_SUPPORT_EMAIL", "help@example.com"),
        ("SERVICE_TELEMETRY_MODE", "local_dev"),
        ("WEB_DIST_DIR", ""),
    ]);
    let meta = server.anonymous().get("/meta").send().expect(200);
    let capabilities = &meta["capabilities"];
    let deployment =
        json!({"mode": "local_dev", "displayName": "Our errors", "logoUrl": "https://example.com/logo.png"});
    assert_eq!(capabilities["deployment"], deployment);
    assert_eq!(capabilities["webApp"], json!({"available": false, "baseUrl": "https://app.example"}));
    assert_eq!(
        capabilities["support"],
        json!({"kind": "operator", "email": "help@example.com", "url": null})
    );
    server.anonymous().get("/").send().refuse(404, "route");
    assert!(server.setup_token.is_some());
}

#[test]
fn versions_are_the_configured_ones_and_a_configured_minimum_is_enforced() {
    let own = json!(env!("CARGO_PKG_VERSION"));
    let told = meta(&[
        ("SERVICE_DESKTOP_VERSION", "2.1.0"),
        ("SERVICE_MIN_DESKTOP_VERSION", "2.0.0-rc.1"),
        ("SERVICE_RUNTIME_VERSION", "3.0.0"),
    ]);
    assert_eq!((&told["serverVersion"], &told["desktopVersion"]), (&own, &json!("2.1.0")));
    assert_eq!(
        (&told["minDesktopVersion"], &told["runtimeVersion"]),
        (&json!("2.0.0-rc.1"), &json!("3.0.0"))
    );
    assert_eq!(told["minDesktopVersionEnforced"], true);
    let told = meta(&[("SERVICE_DESKTOP_VERSION", "2.1.0")]);
    assert_eq!((&told["desktopVersion"], &told["minDesktopVersion"]), (&json!("2.1.0"), &own));
    assert_eq!(told["minDesktopVersionEnforced"], false);
}

#[test]
fn support_is_the_operators_by_a_link_alone_too() {
    let told = meta(&[("SERVICE_INSTANCE_SUPPORT_URL", "mailto:help@example.com"), ("INSTANCE_NAME", " ")]);
    let support = json!({"kind": "operator", "email": null, "url": "mailto:help@example.com"});
    assert_eq!(told["capabilities"]["support"], support);
    assert_eq!(told["capabilities"]["deployment"]["displayName"], "localhost");
}

#[test]
fn no_field_is_unexpected_and_no_secret_is_shown() {
    let server = Server::start_with(&[
        ("JWT_SECRET", "canary-canary-canary-canary-canary"),
        ("CLOUD_SECRET_KEY", "canary-canary-canary-canary-canary"),
        ("POSTGRES_PASSWORD", "canary"),
        ("HOST_OAUTH_CLIENT_ID", "id"),
        ("HOST_OAUTH_CLIENT_SECRET", "canary"),
        ("SSO_ENABLED", "true"),
        ("SSO_OIDC_ISSUER_URL", "https://localhost"),
        ("SSO_OIDC_CLIENT_ID", "id"),
        ("SSO_OIDC_CLIENT_SECRET", "canary"),
        ("SERVICE_MAIL_SMTP_URL", "smtp://u:canary@127.0.0.1:1"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
    ]);
    let told = server.anonymous().get("/meta").send().expect(200);
    let expected = [
        "capabilities",
        "desktopVersion",
        "minDesktopVersion",
        "minDesktopVersionEnforced",
        "runtimeVersion",
        "serverVersion",
    ];
    let mut found = keys(&told);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(!told.to_string().contains("canary"));
    let output = server.output();
    assert!(output.contains("SSO_OIDC_ISSUER_URL") && !output.contains("canary"), "{output}");
}
