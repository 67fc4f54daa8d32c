//! Large and deep bodies for every route that takes one.

use crate::errors::encodings::bombs;
use crate::openapi::document::{Fixture, operations};
use crate::support::{Client, Project};

/// Operations whose body is optional.
const OPTIONAL: [&str; 6] = [
    "POST /api/automations",
    "PATCH /api/automations/{automation_id}",
    "POST /api/automations/{automation_id}/run",
    "POST /api/sessions",
    "PATCH /api/sessions/{agent_session_id}",
    "POST /api/sessions/{agent_session_id}/continue",
];

/// The operations with a JSON body that a person calls, CI with a key, or a runner.
fn each_json_route(act: impl Fn(&Fixture, &crate::openapi::document::Operation, &Client)) {
    let fixture = Fixture::in_project(Project::alone());
    let all = operations(&fixture.project.owner);
    let mut count = 0;
    for operation in &all {
        let takes_json = !operation.details["requestBody"]["content"]["application/json"].is_null();
        let ingestion = ["/api/v1/errors", "/api/v1/logs/", "/api/v1/replays", "/webhooks/"]
            .iter()
            .any(|path| operation.path.starts_with(path));
        // MCP reports errors of a message as JSON-RPC: see `mcp::protocol`.
        let speaks_json = !["/auth/setup", "/mcp"].contains(&operation.path.as_str());
        if takes_json && !ingestion && speaks_json {
            let caller = match operation {
                _ if operation.path.starts_with("/api/v1/sourcemaps/") => fixture.project.ci(),
                _ if operation.takes_runner() => fixture.caller(operation),
                _ => fixture.project.owner.clone(),
            };
            act(&fixture, operation, &caller);
            count += 1;
        }
    }
    assert!(count >= 5, "{count} operations");
    crate::access::anonymous::untouched(&fixture);
}

#[test]
fn two_mib_are_too_large_for_a_dashboard_request() {
    each_json_route(|fixture, operation, caller| {
        // A stack may be as long as in an event.
        let size = if operation.path == "/api/v1/sourcemaps/explain" { 3 << 20 } else { 2 << 20 };
        let body = format!("{{\"name\":\"x\",\"pad\":\"{}\"}}", "x".repeat(size));
        let answer = operation.request(caller, fixture).body("application/json", body).send();
        answer.refuse(413, "too large");
    });
}

#[test]
fn bombs_are_too_large_for_a_dashboard_request() {
    let bombs = bombs();
    each_json_route(|fixture, operation, caller| {
        for (encoding, bomb) in &bombs {
            let request = operation.request(caller, fixture).header("content-encoding", encoding);
            request.body("application/json", bomb.clone()).send().refuse(413, "too large");
        }
    });
}

#[test]
fn deep_and_malformed_bodies_are_refused_by_every_dashboard_route() {
    each_json_route(|fixture, operation, caller| {
        let send = |kind: &str, body: Vec<u8>| operation.request(caller, fixture).body(kind, body).send();
        let deep = format!("{{\"name\":{}", "[".repeat(100_000));
        send("application/json", deep.into_bytes()).refuse(422, "nested");
        let empty = (!OPTIONAL.contains(&operation.name().as_str())).then_some("");
        for body in ["{", "nonsense", "{\"name\":\"x\"}}", "\u{feff}{}"].into_iter().chain(empty) {
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
