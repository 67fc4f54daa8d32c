//! Connections to a code host, a chat and trackers, and the tickets of issues.

mod commits;
mod faults;
mod follow;
mod host;
mod hosts;
mod manage;
mod merges;
mod pulls;
mod tickets;

use crate::support::outside::{Outside, TOKEN};
use crate::support::{Project, Server, Value, World, eventually, json};
use std::sync::Arc;

/// A project of an instance of its own whose connections may lead to this machine.
fn open(outside: &Outside) -> Project {
    let own = outside.variables();
    let own: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Project::in_world(Arc::new(World::new(Server::start_with(&own))), "Shop")
}

fn path(project: &Project) -> String {
    format!("{}/connections", project.world.organization_path())
}

/// The body that connects each kind but GitHub.
fn given(outside: &Outside, kind: &str) -> Value {
    let mut body = json!({"kind": kind, "display_name": kind, "token": TOKEN, "url": outside.url});
    if kind == "jira" {
        body["email"] = json!("ada@example.com");
    }
    body
}

fn connect(project: &Project, body: &Value) -> Value {
    project.owner.post(&path(project)).json(body).send().expect(201)
}

/// The owner's colleague's notifications about integrations, newest first, once there are so many. Nobody is notified
/// of their own actions.
fn told(admin: &crate::support::Client, count: usize) -> Vec<Value> {
    eventually("the notifications", || {
        let list = admin.get("/api/v1/notifications?category=integration").send().expect(200);
        let list = list["notifications"].as_array().unwrap().clone();
        (list.len() >= count).then_some(list)
    })
}
