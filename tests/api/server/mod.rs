//! `/health`, `/meta`, the instance and the pages.

mod backups;
mod compressed;
mod health;
mod instance;
mod log;
mod meta;
mod pages;
mod updater;

use crate::support::{Value, json, world};

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
fn me_returns_the_caller() {
    let world = world();
    let me = world.owner.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["id"], &me["kind"]), (&json!(world.owner_id), &json!("user")));
    assert_eq!((&me["name"], &me["email"]), (&json!("Ada"), &json!(crate::support::EMAIL)));
    assert_ne!(me["created_at"], Value::Null);
}
