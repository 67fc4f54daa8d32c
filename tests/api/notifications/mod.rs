//! People's notifications.

mod announce;
mod details;
mod list;
mod mark;
mod preferences;
mod security;
mod sessions;
mod stream;
mod unsubscribe;

use crate::support::person::{Person, fresh_email};
use crate::support::{Client, Project, Value, World, eventually};

const PATH: &str = "/api/v1/notifications";

/// The notifications of a person, newest first, once there are so many.
fn told(client: &Client, count: usize) -> Vec<Value> {
    eventually("the notifications", || {
        let list = client.get(PATH).send().expect(200);
        (list["total"] == count).then(|| list["notifications"].as_array().unwrap().clone())
    })
}

fn unread(client: &Client) -> Value {
    client.get(&format!("{PATH}/unread-count")).send().expect(200)["count"].clone()
}

/// An admin of a new instance, who has a notification for each of so many invitations.
fn invited(count: usize) -> (Project, Person) {
    let project = Project::alone();
    let admin = project.world.admin();
    invite(&project.world, count);
    told(&admin.client, count);
    (project, admin)
}

fn invite(world: &World, count: usize) {
    for _ in 0..count {
        world.invite(&fresh_email(), "member");
    }
}
