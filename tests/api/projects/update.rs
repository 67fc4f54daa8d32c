//! `PATCH /api/v1/projects/{project_id}`.

use crate::support::{Project, Value, json};

#[test]
fn given_fields_change_and_the_rest_stays() {
    let project = Project::new();
    let before = project.owner.get(&project.path("")).send().expect(200);
    let patch = |body: &Value| project.owner.patch(&project.path("")).json(body).send().expect(200);
    let renamed = patch(&json!({"name": "Renamed"}));
    assert_eq!((&renamed["name"], &renamed["slug"]), (&json!("Renamed"), &before["slug"]));
    assert!(renamed["updated_at"].as_str() >= before["updated_at"].as_str());
    assert_eq!(renamed["created_at"], before["created_at"]);
    assert_eq!(patch(&json!({"platform": "javascript"}))["platform"], "javascript");
    assert_eq!(patch(&json!({"name": "Again"}))["platform"], "javascript");
    assert_eq!(patch(&json!({"platform": null}))["platform"], Value::Null);
    let settings = json!({"settings": {"scrubbing": {"keys": ["ref"], "card_numbers": false}}});
    let changed = patch(&settings);
    assert_eq!(changed["settings"]["scrubbing"]["keys"], json!(["ref"]));
    assert_eq!(changed["settings"]["scrubbing"]["card_numbers"], false);
    assert_eq!(changed["settings"]["scrubbing"]["secret_names"], true);
    assert_eq!(patch(&json!({}))["settings"], changed["settings"]);
    assert_eq!(project.owner.get(&project.path("")).send().expect(200)["name"], "Again");
}

#[test]
fn an_invalid_change_changes_nothing() {
    let project = Project::new();
    let before = project.owner.get(&project.path("")).send().expect(200);
    let patch = |body: &Value| project.owner.patch(&project.path("")).json(body).send();
    patch(&json!({"name": ""})).refuse(422, "name");
    patch(&json!({"name": "good", "platform": ""})).refuse(422, "platform");
    patch(&json!({"name": "good", "settings": {"scrubbing": 5}})).refuse(422, "settings.scrubbing");
    patch(&json!({"name": 5})).refuse(422, "name");
    assert_eq!(project.owner.get(&project.path("")).send().expect(200), before);
}
