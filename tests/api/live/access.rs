//! Who may open a stream, and for how long. What other routes refuse is in `access/`.

use super::{until_counted, watch, watch_as};
use crate::support::world::text;
use crate::support::{Client, EMAIL, PASSWORD, Project, Stream, json};

fn sign_in(project: &Project) -> String {
    let login = json!({"email": EMAIL, "password": PASSWORD});
    let answer = project.world.anonymous().post("/auth/password/login").json(&login).send();
    text(&answer.expect(200)["access_token"])
}

#[test]
fn people_and_keys_that_read_may_watch() {
    let project = Project::new();
    let session = sign_in(&project);
    let key = project.key_for(&["read"]);
    let anonymous = project.world.anonymous();
    let clients = [anonymous.cookie(&session), anonymous.bearer(&session), anonymous.bearer(&key)];
    let mut streams: Vec<Stream> = clients.iter().map(|client| watch_as(client, &project)).collect();
    project.digest(&json!({"message": "one"}));
    streams.iter_mut().for_each(|stream| drop(until_counted(stream, 1)));
}

#[test]
fn nobody_else_may_open_a_stream() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let path = project.path("/stream");
    let refused = |client: &Client, status: u16| {
        let stream = Stream::ask(client, &path, &[]);
        assert_eq!(stream.status, status);
        assert!(stream.refusal()["detail"].is_string());
    };
    refused(&project.world.anonymous(), 401);
    refused(&project.world.bearer("st_nobody"), 401);
    refused(&project.ci(), 403);
    refused(&project.world.bearer(&other.key_for(&["read"])), 403);
    let nowhere = Stream::ask(&project.owner, "/api/v1/projects/999999/stream", &[]);
    assert_eq!(nowhere.status, 403);
}

#[test]
fn signing_out_ends_the_sessions_streams_and_no_others() {
    let project = Project::new();
    let session = project.world.bearer(&sign_in(&project));
    let (ending, mut staying) = (watch_as(&session, &project), watch(&project));
    session.post("/auth/logout").send().expect(204);
    ending.ends_at_once();
    project.digest(&json!({"message": "one"}));
    until_counted(&mut staying, 1);
}

#[test]
fn revoking_a_key_ends_its_streams() {
    let project = Project::new();
    let key = project.make_key(&json!({"name": "reader", "scopes": ["read"]}));
    let stream = watch_as(&project.world.bearer(&text(&key["key"])), &project);
    project.owner.delete(&project.path(&format!("/api-keys/{}", key["id"]))).send().expect(204);
    stream.ends_at_once();
}

#[test]
fn deleting_a_project_ends_its_streams() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let (stream, mut staying) = (watch(&project), watch(&other));
    project.owner.delete(&project.path("")).send().expect(204);
    stream.ends_at_once();
    other.digest(&json!({"message": "one"}));
    until_counted(&mut staying, 1);
}
