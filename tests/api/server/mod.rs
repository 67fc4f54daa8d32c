//! `/health`, `/meta` and the pages.

mod pages;

use crate::support::{Server, Value, json, world};

#[test]
fn health_says_ok_and_the_version() {
    let world = world();
    let health = world.anonymous().get("/health").send().expect(200);
    assert_eq!(health, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
}

#[test]
fn meta_tells_what_the_instance_is() {
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
fn pages_are_the_web_apps_and_missing_files_are_missing() {
    let world = world();
    for path in ["/", "/setup", "/login", "/projects/1/issues/2", "/index.html"] {
        let page = world.anonymous().get(path).send();
        assert_eq!(
            (page.status(), page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
    }
    for path in [
        "/assets/none.js",
        "/none.png",
        "/../../etc/passwd.txt",
        "/assets/..%2f..%2fsecrets.env",
        "/%2e%2e/main.db",
    ] {
        assert_eq!(world.anonymous().get(path).send().status(), 404, "{path}");
    }
    let head = world.anonymous().request("HEAD", "/").send();
    assert_eq!((head.status(), head.text()), (200, String::new()));
}

#[test]
fn me_tells_who_asks() {
    let world = world();
    let me = world.owner.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["id"], &me["kind"]), (&json!(world.owner_id), &json!("user")));
    assert_eq!((&me["name"], &me["email"]), (&json!("Ada"), &json!(crate::support::EMAIL)));
    assert_ne!(me["created_at"], Value::Null);
}
