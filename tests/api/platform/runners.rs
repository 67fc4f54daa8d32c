//! Runners: their rows.

use super::fixture::runner;
use crate::support::world::text;
use crate::support::{Project, Value, json, world};

#[test]
fn a_runners_token_is_shown_once() {
    let world = world();
    let body = json!({"name": "machine", "labels": ["linux", "gpu"]});
    let made = world.owner.post("/api/runners").json(&body).send().expect(201);
    let token = text(&made["token"]);
    assert!(token.starts_with("rt_") && token.len() == 43, "{token}");
    let runner = &made["runner"];
    assert_eq!((&runner["status"], &runner["labels"]), (&json!("waiting"), &json!(["gpu", "linux"])));
    assert_eq!((&runner["last_seen_at"], &runner["version"]), (&Value::Null, &Value::Null));
    let path = format!("/api/runners/{}", text(&runner["id"]));
    assert_eq!(world.owner.get(&path).send().expect(200), json!({"runner": runner}));
    let list = world.owner.get("/api/runners").send().expect(200);
    assert!(list["runners"].as_array().unwrap().contains(runner));
    assert!(!list.to_string().contains(&token));
    assert_eq!(world.owner.delete(&path).send().expect(200), json!({"deleted": true}));
    for answer in [world.owner.get(&path).send(), world.owner.delete(&path).send()] {
        let expected = json!({"error": "This organization has no such runner", "code": "NOT_FOUND"});
        assert_eq!(answer.expect(404), expected);
    }
    let audit = world.audit("?action=runner.deleted");
    assert!(audit.iter().any(|entry| entry["target"] == "machine"), "{audit:?}");
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    for (body, field) in [
        (json!({}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": "x", "labels": "x"}), "labels"),
        (json!({"name": "x", "labels": [""]}), "labels"),
        (json!({"name": "x", "labels": ["x".repeat(65)]}), "labels"),
        (json!({"name": "x", "labels": vec!["x"; 21]}), "labels"),
    ] {
        let answer = world.owner.post("/api/runners").json(&body).send();
        answer.refuse(422, field);
        assert_eq!(answer.value()["code"], "VALIDATION");
    }
}

#[test]
fn there_are_at_most_fifty() {
    let world = Project::alone().world.clone();
    for _ in 0..50 {
        runner(&world.owner);
    }
    world.owner.post("/api/runners").json(&json!({"name": "x"})).send().refuse(409, "at most 50");
}

#[test]
fn a_runners_token_is_for_nothing_else() {
    let world = world();
    let (_, client) = runner(&world.owner);
    client.get("/api/sessions").send().refuse(401, "");
    client.get("/api/v1/me").send().refuse(401, "");
}
