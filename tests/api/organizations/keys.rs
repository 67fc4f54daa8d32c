//! `…/api-keys` of an organization. Tests of what such a key may do are in `access/`.

use crate::support::world::text;
use crate::support::{Project, Server, Value, World, json, world};

fn path(world: &World) -> String {
    format!("{}/api-keys", world.organization_path())
}

#[test]
fn a_key_is_shown_once_and_its_record_stays() {
    let world = World::new(Server::start());
    let admin = world.admin();
    let made = admin.client.post(&path(&world)).json(&json!({"name": "a wall"})).send().expect(201);
    let key = text(&made["key"]);
    assert!(key.starts_with("ok_") && key.len() > 40, "{key}");
    assert!(key.starts_with(made["prefix"].as_str().unwrap()));
    assert_eq!((&made["scopes"], &made["organization_id"]), (&json!(["read"]), &json!(world.organization)));
    let list = world.owner.get(&path(&world)).send().expect(200);
    assert_eq!(list["total"], 1);
    assert!(!list.to_string().contains(&key));
    world.bearer(&key).get(&world.organization_path()).send().expect(200);
    world.anonymous().cookie(&key).get("/api/v1/me").send().refuse(401, "");
}

#[test]
fn a_key_reads_every_project_of_its_organization() {
    let project = Project::new();
    let world = &project.world;
    let key = text(&world.owner.post(&path(world)).json(&json!({"name": "x"})).send().expect(201)["key"]);
    let reader = world.bearer(&key);
    for project in [&project, &project.other()] {
        project.digest(&json!({"message": "one"}));
        let issues = reader.get(&project.path("/issues")).send().expect(200);
        assert_eq!(issues["total"], 1);
    }
    let organizations = reader.get("/api/v1/organizations").send().expect(200);
    assert_eq!(organizations[0]["id"], world.organization);
    // It is no project key: it does not send events.
    let event = json!({"message": "x", "api_key": key});
    world.anonymous().post("/api/v1/errors").json(&event).send().refuse(401, "Invalid API key");
}

#[test]
fn a_revoked_key_is_dead_and_stays_in_the_list() {
    let world = World::new(Server::start());
    let made = world.owner.post(&path(&world)).json(&json!({"name": "x"})).send().expect(201);
    let reader = world.bearer(&text(&made["key"]));
    reader.get("/api/v1/organizations").send().expect(200);
    let one = format!("{}/{}", path(&world), made["id"]);
    world.owner.delete(&one).send().expect(204);
    reader.get("/api/v1/organizations").send().refuse(401, "Invalid API key");
    let list = world.owner.get(&path(&world)).send().expect(200);
    assert!(list["api_keys"][0]["revoked_at"].is_string());
    world.owner.delete(&one).send().expect(204);
    assert_eq!(world.owner.get(&path(&world)).send().expect(200), list);
    for nobody in ["0", "x", "999999"] {
        world.owner.delete(&format!("{}/{nobody}", path(&world))).send().refuse(404, "key");
    }
}

#[test]
fn a_key_outlives_its_creator_until_it_is_revoked() {
    let world = World::new(Server::start());
    let admin = world.admin();
    let made = admin.client.post(&path(&world)).json(&json!({"name": "x"})).send().expect(201);
    world.owner.delete(&world.member_path(admin.id)).send().expect(204);
    world.bearer(&text(&made["key"])).get("/api/v1/organizations").send().expect(200);
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    let make = |body: Value| world.owner.post(&path(&world)).json(&body).send();
    make(json!({})).refuse(422, "name");
    make(json!({"name": ""})).refuse(422, "name");
    make(json!({"name": "x".repeat(129)})).refuse(422, "name");
    for scopes in [json!([]), json!(["admin"]), json!("read")] {
        make(json!({"name": "x", "scopes": scopes})).refuse(422, "scopes");
    }
}
