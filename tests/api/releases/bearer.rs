//! The key in the `Authorization` header of the three CI endpoints.

use crate::support::client::Request;
use crate::support::{Client, Form, Project, json, maps};

const MALFORMED: &str = "Invalid authorization header. Use 'Bearer <api_key>'";

/// A right request to each of the three, but for the key.
fn requests(client: &Client) -> Vec<Request> {
    let upload = Form::new().text("release", "1.0.0").text("url", "~/a.js").file("sourcemap", maps::cart());
    vec![
        client.post("/api/v1/releases").form(&Form::new().text("version", "1.0.0")),
        client.post("/api/v1/releases/1.0.0/finalize"),
        client.post("/api/v1/sourcemaps").form(&upload),
    ]
}

#[test]
fn without_a_bearer_the_answer_says_how_to_send_one() {
    let project = Project::new();
    let anonymous = project.world.anonymous();
    for request in requests(&anonymous) {
        assert_eq!(request.send().refuse(401, ""), MALFORMED);
    }
    for header in ["", "Bearer", "Bearer ", &project.key, "Basic cGtfeDo=", &format!("Token {}", project.key)]
    {
        for request in requests(&anonymous) {
            assert_eq!(request.header("authorization", header).send().refuse(401, ""), MALFORMED, "{header}");
        }
    }
    let browser = anonymous.cookie(&project.world.owner_token);
    for request in requests(&browser) {
        let request = request.header("sec-fetch-site", "same-origin");
        assert_eq!(request.send().refuse(401, ""), MALFORMED);
    }
    assert!(project.is_empty());
}

#[test]
fn an_unknown_or_revoked_key_is_invalid() {
    let project = Project::new();
    let revoked = project.make_key(&json!({"name": "revoked"}));
    project.owner.delete(&project.path(&format!("/api-keys/{}", revoked["id"]))).send().expect(204);
    let unknown = format!("pk_{}", "x".repeat(32));
    for key in
        [unknown.as_str(), revoked["key"].as_str().unwrap(), "nonsense", &project.world.owner_token, "pk_"]
    {
        for request in requests(&project.world.bearer(key)) {
            assert_eq!(request.send().refuse(401, ""), "Invalid API key", "{key}");
        }
    }
    assert!(project.is_empty());
}

#[test]
fn a_key_for_ingestion_only_opens_no_uploads() {
    let project = Project::new();
    for scopes in [["ingest"].as_slice(), &["read"], &["ingest", "read"]] {
        for request in requests(&project.world.bearer(&project.key_for(scopes))) {
            request.send().refuse(403, "releases");
        }
    }
    assert!(project.is_empty());
    for request in requests(&project.world.bearer(&project.key_for(&["releases"]))) {
        assert!(matches!(request.send().status(), 200 | 201));
    }
}

#[test]
fn the_scheme_is_read_in_any_case() {
    let project = Project::new();
    let create = project.world.anonymous().post("/api/v1/releases").form(&Form::new().text("version", "1"));
    create.header("Authorization", &format!("bearer   {}", project.key)).send().expect(201);
}
