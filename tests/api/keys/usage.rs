//! `last_used_at`.

use crate::support::{Project, Server, Value, World, json};
use std::sync::Arc;

fn last_used(project: &Project) -> Vec<Value> {
    let list = project.owner.get(&project.path("/api-keys")).send().expect(200);
    list["api_keys"].as_array().unwrap().iter().map(|key| key["last_used_at"].clone()).collect()
}

#[test]
fn the_last_use_of_a_key_is_kept() {
    let world = Arc::new(World::new(Server::start()));
    let project = Project::in_world(world, "Shop");
    let bearer = project.key_for(&["releases"]);
    let unused = project.key_for(&["ingest"]);
    let before = jiff::Timestamp::now().to_string();
    project.accept(&json!({"message": "x"}));
    project.world.bearer(&bearer).get(&project.path("/releases")).send().expect(200);
    // It is written at most once a minute for each key, and when the server stops.
    let (id, key) = (project.id, project.key.clone());
    let world = Arc::into_inner(project.world).unwrap().restart();
    let project = Project { owner: world.owner.clone(), world: Arc::new(world), id, key };
    let [of_unused, of_bearer, of_ingest] = last_used(&project).try_into().unwrap();
    assert_eq!(of_unused, Value::Null, "{unused}");
    for used in [of_bearer, of_ingest] {
        assert!(used.as_str().is_some_and(|used| used[..19] >= before[..19]), "{used} before {before}");
    }
}
