//! `/api/v1/notifications/preferences`.

use super::{PATH, told, unread};
use crate::support::{Client, Project, Value, json};

fn path() -> String {
    format!("{PATH}/preferences")
}

fn all(client: &Client) -> Vec<Value> {
    client.get(&path()).send().expect(200)["preferences"].as_array().unwrap().clone()
}

#[test]
fn everybody_has_four_from_the_start() {
    let project = Project::alone();
    let added = project.world.server.operated_person("added@example.com");
    for (client, id) in [(&project.owner, project.world.owner_id), (&added.client, added.id)] {
        let preferences = all(client);
        let expected = [("error", true), ("team", true), ("integration", false), ("system", true)];
        assert_eq!(preferences.len(), expected.len());
        for (one, (category, by_mail)) in preferences.iter().zip(expected) {
            assert_eq!(one.as_object().unwrap().len(), 7, "{one}");
            assert_eq!((&one["category"], &one["user_id"]), (&json!(category), &json!(id)));
            assert_eq!((&one["in_app_enabled"], &one["email_enabled"]), (&json!(true), &json!(by_mail)));
            assert!(one["id"].is_i64() && one["created_at"].is_string() && one["updated_at"].is_string());
        }
    }
}

#[test]
fn a_server_without_mail_shows_it() {
    let project = Project::new();
    assert_eq!(project.owner.get(&path()).send().expect(200)["mail_configured"], false);
}

#[test]
fn each_is_changed_alone() {
    let project = Project::alone();
    let member = project.world.member();
    let change = |body: &Value| member.client.patch(&path()).json(body).send().expect(200);
    let before = all(&member.client);
    let changed = change(&json!({"category": "team", "email_enabled": false}));
    assert_eq!((&changed["in_app_enabled"], &changed["email_enabled"]), (&json!(true), &json!(false)));
    assert_eq!((&changed["id"], &changed["created_at"]), (&before[1]["id"], &before[1]["created_at"]));
    assert_ne!(changed["updated_at"], before[1]["updated_at"]);
    assert_eq!(change(&json!({"category": "team"})), changed, "what is not given stays");
    let after = all(&member.client);
    assert_eq!((&after[0], &after[1], &after[2]), (&before[0], &changed, &before[2]));
    change(&json!({"category": "integration", "in_app_enabled": false, "email_enabled": true}));
    assert_eq!(all(&project.owner).iter().filter(|one| one["in_app_enabled"] == true).count(), 4);
}

#[test]
fn whoever_turns_off_notifications_in_the_app_gets_none_there() {
    let project = Project::alone();
    let member = project.world.member();
    let body = json!({"category": "error", "in_app_enabled": false});
    member.client.patch(&path()).json(&body).send().expect(200);
    project.digest(&json!({"message": "one"}));
    // The owner is notified of the member, too.
    told(&project.owner, 2);
    assert_eq!(unread(&member.client), 0);
    let body = json!({"category": "error", "in_app_enabled": true});
    member.client.patch(&path()).json(&body).send().expect(200);
    project.digest(&json!({"message": "two"}));
    assert_eq!(told(&member.client, 1)[0]["title"], "New issue: two");
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    for (body, named) in [
        (json!({}), "category"),
        (json!({"category": null}), "category"),
        (json!({"category": 1}), "category"),
        (json!({"category": "errors"}), "category"),
        (json!({"category": ""}), "category"),
        (json!({"category": "x".repeat(10_000)}), "category"),
        (json!({"category": "error", "in_app_enabled": "yes"}), "in_app_enabled"),
        (json!({"category": "error", "in_app_enabled": 1}), "in_app_enabled"),
        (json!({"category": "error", "email_enabled": []}), "email_enabled"),
        (json!(["error"]), "array"),
    ] {
        project.owner.patch(&path()).json(&body).send().refuse(422, named);
    }
    project.owner.patch(&path()).bytes("{").header("content-type", "application/json").send().refuse(400, "");
    project.owner.patch(&path()).body("text/plain", "{}").send().refuse(415, "");
}

#[test]
fn a_weekly_report_is_chosen_by_each() {
    let project = Project::alone();
    let member = project.world.member();
    let chosen = |client: &Client| client.get(&path()).send().expect(200)["weekly_report"].clone();
    assert_eq!(chosen(&member.client), json!({"enabled": false, "next_at": null}));
    let choose = |enabled: bool| {
        member
            .client
            .patch(&format!("{PATH}/weekly-report"))
            .json(&json!({"enabled": enabled}))
            .send()
            .expect(200)
    };
    let on = choose(true);
    assert_eq!((&on["enabled"], on["next_at"].is_string()), (&json!(true), true));
    assert_eq!(chosen(&member.client), on);
    assert_eq!(choose(true), on, "twice is once");
    assert_eq!(chosen(&project.owner)["enabled"], false, "others choose for themselves");
    choose(false);
    assert_eq!(chosen(&member.client)["enabled"], false);
    for body in [json!({}), json!({"enabled": "yes"})] {
        member.client.patch(&format!("{PATH}/weekly-report")).json(&body).send().refuse(422, "enabled");
    }
}
