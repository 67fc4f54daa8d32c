//! How long a person's token works, and what it may do.

use crate::support::world::text;
use crate::support::{Client, Project, Stream, json};

/// A tool that reads, and its open stream.
fn watching(client: &Client, project: &Project) -> Stream {
    Stream::open(client, &project.path("/stream"), &[])
}

#[test]
fn a_revoked_token_stops_working_at_once_and_so_does_its_stream() {
    let project = Project::new();
    let person = project.world.member();
    let made = person.make_token(&["read"]);
    let tool = project.world.bearer(&text(&made["token"]));
    let stream = watching(&tool, &project);
    person.client.delete(&format!("/api/v1/me/tokens/{}", made["id"])).send().expect(204);
    tool.get("/api/v1/me").send().refuse(401, "Not signed in");
    stream.ends_at_once();
}

#[test]
fn a_tool_follows_its_person_out() {
    let project = Project::new();
    let world = &project.world;
    let (removed, disabled, leaving) = (world.member(), world.member(), world.member());
    let people = [&removed, &disabled, &leaving];
    let tools = people.map(|person| person.tool(&["read", "write"]));
    let streams: Vec<Stream> = tools.iter().map(|tool| watching(tool, &project)).collect();
    world.owner.delete(&world.member_path(removed.id)).send().expect(204);
    let status = |status: &str| {
        let change = json!({"status": status});
        world.owner.patch(&world.member_path(disabled.id)).json(&change).send().expect(200);
    };
    status("disabled");
    leaving.client.delete(&world.member_path(leaving.id)).send().expect(204);
    for tool in &tools {
        tool.get("/api/v1/me").send().refuse(401, "Not signed in");
        tool.get(&project.path("/issues")).send().refuse(401, "Not signed in");
    }
    streams.into_iter().for_each(Stream::ends_at_once);
    // Once back, they have to create their tokens again.
    world.join_again(&removed);
    status("active");
    for tool in &tools {
        tool.get("/api/v1/me").send().refuse(401, "Not signed in");
    }
}

#[test]
fn a_session_that_ends_ends_its_streams_and_not_the_tools() {
    let project = Project::new();
    let world = &project.world;
    let person = world.member();
    let (second, tool) = (person.again(), person.tool(&["read"]));
    let mut staying = watching(&tool, &project);
    let ending = watching(&second.client, &project);
    person.client.delete("/api/v1/me/sessions").send().expect(204);
    ending.ends_at_once();
    project.digest(&json!({"message": "one"}));
    assert!(staying.next().is_some());
}

#[test]
fn an_organization_keys_stream_ends_with_the_key() {
    let project = Project::new();
    let keys = format!("{}/api-keys", project.world.organization_path());
    let key = project.owner.post(&keys).json(&json!({"name": "a wall"})).send().expect(201);
    let stream = watching(&project.world.bearer(&text(&key["key"])), &project);
    project.owner.delete(&format!("{keys}/{}", key["id"])).send().expect(204);
    stream.ends_at_once();
}

#[test]
fn a_tool_loses_the_access_that_its_person_loses() {
    let project = Project::new();
    let world = &project.world;
    let admin = world.admin();
    let tool = admin.tool(&["admin"]);
    let rename = |name: &str| tool.patch(&project.path("")).json(&json!({"name": name})).send();
    rename("One").expect(200);
    world.owner.patch(&world.member_path(admin.id)).json(&json!({"role": "member"})).send().expect(200);
    rename("Two").refuse(403, "role");
    tool.get(&project.path("")).send().expect(200);
}

#[test]
fn when_a_tool_was_used_is_shown() {
    let project = Project::new();
    let person = project.world.member();
    let tool = person.tool(&["read"]);
    tool.get("/api/v1/me").send().expect(200);
    crate::support::eventually("the time of the last use", || {
        let list = person.client.get("/api/v1/me/tokens").send().expect(200);
        list["tokens"][0]["last_used_at"].is_string().then_some(())
    });
}
