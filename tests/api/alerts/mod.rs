//! Alert rules, their channels, and the messages that receivers get.

mod channels;
pub(crate) mod receiver;
mod rules;
mod sent;
mod views;

use crate::support::{Project, Value, World, eventually, json};
use receiver::Receiver;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A project of an instance whose channels may lead to this machine.
fn open() -> Project {
    let variables = [("SERVICE_ALERTS_ALLOW_PRIVATE_URLS", "true")];
    Project::in_world(Arc::new(World::start_with(&variables)), "Shop")
}

fn channel(project: &Project, body: &Value) -> Value {
    project.owner.post(&project.path("/alert-channels")).json(body).send().expect(201)
}

fn webhook(project: &Project, receiver: &Receiver) -> Value {
    channel(project, &json!({"name": "Hook", "kind": "webhook", "url": receiver.url}))
}

fn rule(project: &Project, condition: &Value, channel: &Value, more: &Value) -> Value {
    let mut body = json!({"name": "A rule", "condition": condition, "channels": [channel["id"]]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    project.owner.post(&project.path("/alert-rules")).json(&body).send().expect(201)
}

/// Seconds since the epoch.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

/// The newest deliveries in this state, once there are so many.
fn lines(project: &Project, status: &str, count: usize) -> Vec<Value> {
    eventually(&format!("{count} {status}"), || {
        let list = project.owner.get(&project.path("/alert-deliveries")).send().expect(200);
        let lines: Vec<Value> = list["deliveries"].as_array().unwrap().clone();
        (lines.iter().filter(|line| line["status"] == status).count() == count).then_some(lines)
    })
}
