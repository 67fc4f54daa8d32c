//! Which organization a request is about, and what each kind of caller may do.

use super::fixture::{automation, repository};
use crate::support::person::fresh_email;
use crate::support::world::text;
use crate::support::{Project, Server, World, json, world};
use std::sync::Arc;

#[test]
fn somebody_with_several_organizations_names_one() {
    let server = Arc::new(Server::of_many());
    let person = server.operated_person(&fresh_email());
    let found = |name: &str| {
        let made =
            person.client.post("/api/v1/organizations").json(&json!({"name": name})).send().expect(201);
        made["id"].to_string()
    };
    let none = person.client.get("/api/automations").send();
    assert_eq!(none.expect(403)["code"], "FORBIDDEN");
    let one = found("One");
    automation(&person.client, &json!({"name": "of one"}));
    let two = found("Two");
    let unsaid = person.client.get("/api/automations").send();
    unsaid.refuse(400, "X-Organization-Id");
    let names = |organization: &str| {
        let list = person.client.get("/api/automations").header("x-organization-id", organization).send();
        list.expect(200)["automations"].as_array().unwrap().len()
    };
    assert_eq!((names(&one), names(&two)), (1, 0));
    for bad in ["", "x", "-", "1.5", "99999999999999999999999"] {
        let answer = person.client.get("/api/automations").header("x-organization-id", bad).send();
        answer.refuse(400, "X-Organization-Id");
    }
    let theirs = World::founded(&server, "Theirs");
    for foreign in [theirs.organization.to_string(), "999999".to_owned()] {
        let answer = person.client.get("/api/automations").header("x-organization-id", &foreign).send();
        assert_eq!(answer.refuse(403, "organization"), "You do not have access to this organization");
    }
    // A key belongs to one organization, whatever the header says.
    let keys = format!("/api/v1/organizations/{one}/api-keys");
    let key = person.client.post(&keys).json(&json!({"name": "k"})).send().expect(201);
    let key = person.client.bearer(&text(&key["key"]));
    let list = key.get("/api/automations").header("x-organization-id", &two).send().expect(200);
    assert_eq!(list["automations"].as_array().unwrap().len(), 1);
}

#[test]
fn a_key_with_write_may_do_what_admins_may() {
    let project = Project::new();
    let world = &project.world;
    let keys = format!("{}/api-keys", world.organization_path());
    let make = |scopes: &[&str]| {
        let made =
            world.owner.post(&keys).json(&json!({"name": "a key", "scopes": scopes})).send().expect(201);
        (made["scopes"].clone(), world.bearer(&text(&made["key"])))
    };
    let (scopes, writer) = make(&["write"]);
    assert_eq!(scopes, json!(["read", "write"]));
    let (scopes, reader) = make(&["read"]);
    assert_eq!(scopes, json!(["read"]));
    let made = automation(&writer, &json!({"name": "by a key"}));
    // Things that it creates belong to the person who created the key.
    assert_eq!(made["created_by"], world.owner_id.to_string());
    let audit = world.audit("?action=automation.created");
    let entry = audit.iter().find(|entry| entry["target"] == "by a key").unwrap();
    assert_eq!((&entry["actor"], &entry["actor_id"]), (&json!("a key"), &json!(null)));
    repository(&writer);
    let path = format!("/api/automations/{}", text(&made["id"]));
    reader.get(&path).send().expect(200);
    for refused in [
        reader.patch(&path).json(&json!({"enabled": false})),
        reader.delete(&path),
        reader.post("/api/automations").json(&json!({})),
        reader.post("/api/sessions").json(&json!({})),
    ] {
        let answer = refused.send();
        answer.refuse(403, "write");
        assert_eq!(answer.value()["code"], "FORBIDDEN");
    }
    writer.post("/api/runners").json(&json!({"name": "x"})).send().refuse(403, "");
    // It writes nothing elsewhere.
    writer.patch(&project.path("")).json(&json!({"name": "x"})).send().refuse(403, "");
    writer.delete(&path).send().expect(200);
}

#[test]
fn a_members_sessions_are_theirs_to_start_and_automations_are_not() {
    let world = world();
    let member = world.member();
    member.client.post("/api/automations").json(&json!({})).send().refuse(403, "admin");
    member.client.post("/api/repos").json(&json!({})).send().refuse(403, "admin");
    let made = member.client.post("/api/sessions").json(&json!({"prompt": "Look"})).send().expect(201);
    assert_eq!(made["session"]["created_by"], member.id.to_string());
    // A tool needs `write`, and an admin's needs no more for automations.
    member.tool(&["read"]).post("/api/sessions").json(&json!({})).send().refuse(403, "token");
    member.tool(&["write"]).post("/api/sessions").json(&json!({})).send().expect(201);
    let admin = world.admin();
    admin.tool(&["write"]).post("/api/automations").json(&json!({})).send().expect(200);
    admin.tool(&["read"]).post("/api/automations").json(&json!({})).send().refuse(403, "token");
}

#[test]
fn a_projects_key_is_refused_and_no_credentials_are_unauthorized() {
    let project = Project::new();
    let key = project.world.bearer(&project.key_for(&["ingest", "releases", "read"]));
    let answer = key.get("/api/automations").send();
    answer.refuse(403, "project key");
    assert_eq!(answer.value()["code"], "FORBIDDEN");
    let answer = project.world.anonymous().get("/api/automations").send();
    assert_eq!(answer.expect(401)["code"], "UNAUTHORIZED");
    let answer = project.world.bearer("ok_nonsense").get("/api/automations").send();
    assert_eq!(answer.expect(401), json!({"error": "Invalid API key", "code": "UNAUTHORIZED"}));
}

#[test]
fn a_revoked_key_does_nothing() {
    let world = world();
    let keys = format!("{}/api-keys", world.organization_path());
    let made =
        world.owner.post(&keys).json(&json!({"name": "short", "scopes": ["write"]})).send().expect(201);
    let key = world.bearer(&text(&made["key"]));
    automation(&key, &json!({}));
    world.owner.delete(&format!("{keys}/{}", made["id"])).send().expect(204);
    key.post("/api/automations").json(&json!({})).send().refuse(401, "Invalid API key");
}
