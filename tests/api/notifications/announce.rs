//! `POST /api/v1/instance/announcements`.

use super::told;
use crate::support::{Project, Value, json};

const ANNOUNCE: &str = "/api/v1/instance/announcements";

#[test]
fn an_administrators_words_reach_everybody() {
    let project = Project::alone();
    let world = &project.world;
    let (admin, member) = (world.admin(), world.member());
    told(&admin.client, 2);
    let body = json!({"title": " Maintenance ", "text": "On Sunday", "url": "https://status.example/1",
        "kind": "maintenance"});
    let made = admin.client.post(ANNOUNCE).json(&body).send().expect(201);
    assert_eq!((&made["title"], &made["url"]), (&json!("Maintenance"), &body["url"]));
    let one = &told(&member.client, 1)[0];
    assert_eq!((&one["category"], &one["title"]), (&json!("system"), &json!("Maintenance")));
    assert_eq!((&one["summary"], &one["actor_id"]), (&json!("On Sunday"), &json!(admin.id)));
    let about = json!({"kind": "maintenance", "version": null, "url": "https://status.example/1"});
    assert_eq!(one["notification_metadata"], about);
    assert_eq!(one["organization_id"], world.organization);
    assert_eq!(told(&admin.client, 2).len(), 2, "its author knows it");
    assert_eq!(world.audit("?action=instance.announced")[0]["target"], "Maintenance");
}

#[test]
fn only_the_operator_announces() {
    let project = Project::new();
    let body = json!({"title": "Free hats"});
    project.world.member().client.post(ANNOUNCE).json(&body).send().refuse(403, "");
    project.world.owner_person().tool(&["write"]).post(ANNOUNCE).json(&body).send().refuse(403, "token");
    project.world.anonymous().post(ANNOUNCE).json(&body).send().refuse(401, "");
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    let url = |url: &str| json!({"title": "x", "url": url});
    for (body, named) in [
        (json!({}), "title"),
        (json!({"title": "  "}), "title"),
        (json!({"title": "x".repeat(201)}), "title"),
        (json!({"title": 1}), "title"),
        (json!({"title": "x", "kind": "party"}), "kind"),
        (json!({"title": "x", "text": "x".repeat(2_001)}), "text"),
        (json!({"title": "x", "text": Value::Null}), "text"),
        (url("javascript:alert(1)"), "url"),
        (url("/local"), "url"),
        (url("https://a b"), "url"),
        (url(&format!("https://a/{}", "x".repeat(3_000))), "url"),
    ] {
        project.owner.post(ANNOUNCE).json(&body).send().refuse(422, named);
    }
}
