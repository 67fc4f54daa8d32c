//! Events that could not be digested: `…/set-aside`. `MAYDAY_SABOTAGE` makes the digest fail.

mod delete;
mod list;
mod retry;

use crate::support::{Project, Value, World, eventually, json};
use std::sync::Arc;

/// A project of an instance of its own, where digesting fails for every event.
fn failing() -> Project {
    let world = World::start_with(&[("MAYDAY_SABOTAGE", "set_aside_all")]);
    Project::in_world(Arc::new(world), "Shop")
}

/// The same project after a restart with a digest that works.
fn mended(project: Project) -> Project {
    restarted(project, &[])
}

fn restarted(project: Project, environment: &[(&str, &str)]) -> Project {
    let Project { world, owner, id, key } = project;
    drop(owner);
    let world = Arc::into_inner(world).expect("no other holder of this instance").restart_with(environment);
    Project { owner: world.owner.clone(), world: Arc::new(world), id, key }
}

/// The list, once it has `total` events.
#[track_caller]
fn listed(project: &Project, total: i64) -> Value {
    eventually("the events that were set aside", || {
        let list = project.owner.get(&project.path("/set-aside")).send().expect(200);
        (list["total"] == total).then_some(list)
    })
}

/// Sends events with these ids and waits until they are set aside.
#[track_caller]
fn set_aside(project: &Project, ids: &[&str]) -> Value {
    for id in ids {
        project.accept(&json!({"event_id": id, "message": format!("of {id}")}));
    }
    listed(project, ids.len() as i64)
}

fn path_of(project: &Project, event: &Value) -> String {
    project.path(&format!("/set-aside/{}", event["id"]))
}

fn ids(list: &Value) -> Vec<&str> {
    list["events"].as_array().unwrap().iter().map(|event| event["event_id"].as_str().unwrap()).collect()
}
