//! `GET /health`.

use crate::support::{json, world};

#[test]
fn health_returns_ok_and_the_version() {
    let world = world();
    let health = world.anonymous().get("/health").send().expect(200);
    assert_eq!(health, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
}

#[test]
fn health_returns_nothing_else_and_accepts_no_other_method() {
    let world = world();
    let head = world.anonymous().request("HEAD", "/health").send();
    assert_eq!((head.status(), head.text()), (200, String::new()));
    assert_eq!(world.anonymous().request("POST", "/health").send().status(), 405);
}
