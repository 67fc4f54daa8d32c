//! `DELETE …/api-keys/{key_id}`.

use crate::support::{Form, Project, json, maps};

#[test]
fn a_revoked_key_is_refused_everywhere_at_once() {
    let project = Project::new();
    let made = project.make_key(&json!({"name": "all", "scopes": ["ingest", "releases", "read"]}));
    let key = made["key"].as_str().unwrap();
    let client = project.world.bearer(key);
    project.digest(&json!({"api_key": key, "message": "x"}));
    client.get(&project.path("/issues")).send().expect(200);

    let path = project.path(&format!("/api-keys/{}", made["id"]));
    assert_eq!(project.owner.delete(&path).send().text(), "");
    let event = json!({"api_key": key, "message": "x"});
    project.post(&event).refuse(401, "Invalid API key");
    project
        .world
        .anonymous()
        .post("/api/v1/errors/batch")
        .json(&json!([event]))
        .send()
        .refuse(401, "Invalid API key");
    let upload = Form::new().text("release", "1").text("url", "~/a.js").file("sourcemap", maps::cart());
    client
        .post("/api/v1/releases")
        .form(&Form::new().text("version", "1"))
        .send()
        .refuse(401, "Invalid API key");
    client.post("/api/v1/sourcemaps").form(&upload).send().refuse(401, "Invalid API key");
    client.post("/api/v1/releases/1/finalize").send().refuse(401, "Invalid API key");
    for rest in ["", "/issues", "/releases"] {
        client.get(&project.path(rest)).send().refuse(401, "Invalid API key");
    }
    client.get("/api/v1/me").send().refuse(401, "Invalid API key");
    // The other keys still work.
    project.digest(&json!({"message": "x"}));
}

#[test]
fn a_revoked_key_stays_in_the_list() {
    let project = Project::new();
    let made = project.make_key(&json!({"name": "gone"}));
    let path = project.path(&format!("/api-keys/{}", made["id"]));
    project.owner.delete(&path).send().expect(204);
    let shown = || project.owner.get(&project.path("/api-keys")).send().expect(200)["api_keys"][0].clone();
    let first = shown();
    assert!(first["revoked_at"].as_str().unwrap().ends_with('Z'), "{first}");
    project.owner.delete(&path).send().expect(204);
    assert_eq!(shown(), first, "the first time stays");
}

#[test]
fn only_a_key_of_the_project_is_revoked() {
    let project = Project::new();
    let other = project.other();
    let theirs = other.make_key(&json!({"name": "theirs"}));
    let path = project.path(&format!("/api-keys/{}", theirs["id"]));
    project.owner.delete(&path).send().refuse(404, "key");
    other.digest(&json!({"api_key": theirs["key"], "message": "x"}));
}

#[test]
fn a_revoked_key_stays_revoked_over_a_restart() {
    let world = std::sync::Arc::new(crate::support::World::new(crate::support::Server::start()));
    let project = Project::in_world(world, "Shop");
    let made = project.make_key(&json!({"name": "gone"}));
    project.owner.delete(&project.path(&format!("/api-keys/{}", made["id"]))).send().expect(204);
    let (id, key) = (project.id, project.key.clone());
    let world = std::sync::Arc::into_inner(project.world).unwrap().restart();
    let project = Project { owner: world.owner.clone(), world: std::sync::Arc::new(world), id, key };
    project.post(&json!({"api_key": made["key"], "message": "x"})).refuse(401, "Invalid API key");
    project.digest(&json!({"message": "x"}));
}
