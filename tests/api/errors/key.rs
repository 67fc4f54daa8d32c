//! The key in the body.

use crate::support::world::text;
use crate::support::{Project, Value, json};

#[test]
fn every_invalid_key_gets_the_same_answer() {
    let project = Project::new();
    let revoked = project.make_key(&json!({"name": "revoked"}));
    project.owner.delete(&project.path(&format!("/api-keys/{}", revoked["id"]))).send().expect(204);
    let unknown = format!("pk_{}", "x".repeat(32));
    let mut details = Vec::new();
    for key in [
        Value::Null,
        json!(""),
        json!("pk_"),
        json!(unknown),
        revoked["key"].clone(),
        json!(project.key.to_uppercase()),
        json!(format!(" {}", project.key)),
        json!(project.key[..20]),
        json!(format!("{}x", project.key)),
        json!(5),
        json!([project.key]),
        json!({"key": project.key}),
        json!("pk_".repeat(10_000)),
        json!("pk_\u{0}"),
        json!(project.world.owner_token),
    ] {
        let single = json!({"api_key": key, "message": "x"});
        details.push(project.post(&single).refuse(401, "Invalid API key"));
        let batch = project.world.anonymous().post("/api/v1/errors/batch").json(&json!([single]));
        details.push(batch.send().refuse(401, "Invalid API key"));
    }
    for body in ["{}", "[]", "5", "null", "\"x\""] {
        let post = project.world.anonymous().post("/api/v1/errors").body("application/json", body);
        details.push(post.send().refuse(401, "Invalid API key"));
    }
    assert!(details.iter().all(|detail| detail == "Invalid API key"), "{details:?}");
    assert!(project.is_empty());
}

#[test]
fn the_key_is_checked_before_the_rest_of_the_event() {
    let project = Project::new();
    let nonsense = json!({"api_key": "pk_none", "type": 5, "exception": "x", "event_id": [], "level": {}});
    project.post(&nonsense).refuse(401, "Invalid API key");
    let mut nonsense = nonsense;
    nonsense["api_key"] = json!(project.key);
    project.post(&nonsense).refuse(422, "type");
}

#[test]
fn a_key_needs_the_scope_to_send() {
    let project = Project::new();
    for scopes in [["releases"].as_slice(), &["read"], &["read", "releases"]] {
        let event = json!({"api_key": project.key_for(scopes), "message": "x"});
        project.post(&event).refuse(403, "ingest");
    }
    let id = text(
        &project.post(&json!({"api_key": project.key_for(&["ingest"]), "message": "x"})).expect(202)["event_id"],
    );
    project.event(&id);
}

#[test]
fn of_a_key_given_twice_the_last_counts() {
    let project = Project::new();
    let body = format!("{{\"api_key\": \"pk_none\", \"message\": \"x\", \"api_key\": \"{}\"}}", project.key);
    project.world.anonymous().post("/api/v1/errors").body("application/json", body).send().expect(202);
}
