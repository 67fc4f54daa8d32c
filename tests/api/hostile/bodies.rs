//! Large and deep bodies for every route that takes one.

use crate::errors::encodings::bombs;
use crate::openapi::document::{Fixture, operations};
use crate::support::Project;

/// The operations with a JSON body that a person calls.
fn each_json_route(act: impl Fn(&Fixture, &crate::openapi::document::Operation)) {
    let fixture = Fixture::in_project(Project::alone());
    let all = operations(&fixture.project.owner);
    let mut count = 0;
    for operation in &all {
        let takes_json = !operation.details["requestBody"]["content"]["application/json"].is_null();
        let ingestion =
            ["/api/v1/errors", "/api/v1/logs/"].iter().any(|path| operation.path.starts_with(path));
        if takes_json && !ingestion && operation.path != "/auth/setup" {
            act(&fixture, operation);
            count += 1;
        }
    }
    assert!(count >= 5, "{count} operations");
    crate::access::anonymous::untouched(&fixture);
}

#[test]
fn two_mib_are_too_large_for_a_dashboard_request() {
    each_json_route(|fixture, operation| {
        let body = format!("{{\"name\":\"x\",\"pad\":\"{}\"}}", "x".repeat(2 << 20));
        let answer = operation.request(&fixture.project.owner, fixture).body("application/json", body).send();
        answer.refuse(413, "too large");
    });
}

#[test]
fn bombs_are_too_large_for_a_dashboard_request() {
    let bombs = bombs();
    each_json_route(|fixture, operation| {
        for (encoding, bomb) in &bombs {
            let request =
                operation.request(&fixture.project.owner, fixture).header("content-encoding", encoding);
            request.body("application/json", bomb.clone()).send().refuse(413, "too large");
        }
    });
}

#[test]
fn deep_and_malformed_bodies_are_refused_by_every_dashboard_route() {
    each_json_route(|fixture, operation| {
        let send = |kind: &str, body: Vec<u8>| {
            operation.request(&fixture.project.owner, fixture).body(kind, body).send()
        };
        let deep = format!("{{\"name\":{}", "[".repeat(100_000));
        send("application/json", deep.into_bytes()).refuse(422, "nested");
        for body in ["", "{", "nonsense", "{\"name\":\"x\"}}", "\u{feff}{}"] {
            send("application/json", body.into()).refuse(400, "JSON");
        }
        send("application/json", b"{\"name\":\"\xff\"}".to_vec()).refuse(400, "JSON");
        for body in ["null", "5", "\"x\"", "true", "[]", "[\"x\", \"y\", [], []]"] {
            let answer = send("application/json", body.into());
            answer.refuse(422, "");
        }
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            send(kind, b"{}".to_vec()).refuse(415, "Content-Type");
        }
    });
}
