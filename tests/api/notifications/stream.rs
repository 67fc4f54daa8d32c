//! `GET /api/v1/me/stream`.

use super::{PATH, invite, told};
use crate::support::stream::Message;
use crate::support::{Client, Project, Stream, Value, json};

const STREAM: &str = "/api/v1/me/stream";

fn watch(client: &Client) -> Stream {
    Stream::open(client, STREAM, &[])
}

fn counts(message: &Message, unread: i64) -> bool {
    assert_eq!(message.event, "notification");
    message.data["unread_count"] == unread
}

#[test]
fn it_sends_the_counts_and_then_every_change() {
    let project = Project::alone();
    let member = project.world.member();
    let mut stream = watch(&member.client);
    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    let first = stream.next().unwrap();
    assert_eq!(first.data, json!({"unread_count": 0, "newest": null}));
    project.digest(&json!({"message": "one"}));
    let told_of = stream.until("a notification", |message| counts(message, 1)).pop().unwrap().data;
    let listed = &told(&member.client, 1)[0];
    assert_eq!(&told_of["newest"], listed);
    // Reading a notification in another tab counts here, too.
    member.client.patch(&format!("{PATH}/{}/read", listed["id"])).send().expect(200);
    let read = stream.until("that it was read", |message| counts(message, 0)).pop().unwrap().data;
    assert!(read["newest"]["read_at"].is_string(), "{read}");
    member.client.patch(&format!("{PATH}/{}/archive", listed["id"])).send().expect(200);
    stream.until("that it is gone", |message| message.data["newest"] == Value::Null);
    // A client that reconnects gets the current counts.
    project.digest(&json!({"message": "two"}));
    told(&member.client, 1);
    let headers = [("last-event-id", "0")];
    let mut again = Stream::open(&member.client, STREAM, &headers);
    assert!(counts(&again.next().unwrap(), 1));
}

#[test]
fn the_last_message_counts_all_of_many() {
    let project = Project::alone();
    let admin = project.world.admin();
    let mut stream = watch(&admin.client);
    invite(&project.world, 30);
    let messages = stream.until("all of them", |message| counts(message, 30));
    assert!(messages.len() <= 31, "{} messages", messages.len());
}

#[test]
fn nobody_gets_another_persons_notifications() {
    let project = Project::alone();
    let (admin, member) = (project.world.admin(), project.world.member());
    // Neither got any other notification; the admin's is about the member.
    told(&admin.client, 2);
    let (mut of_admin, mut of_member) = (watch(&admin.client), watch(&member.client));
    assert!(counts(&of_member.next().unwrap(), 0));
    invite(&project.world, 1);
    of_admin.until("the invitation", |message| counts(message, 3));
    project.digest(&json!({"message": "for all"}));
    let next = of_member.next().unwrap();
    assert_eq!(next.data["newest"]["title"], "New issue: for all");
}

#[test]
fn signing_out_ends_it() {
    let project = Project::new();
    let member = project.world.member();
    let (stream, other) = (watch(&member.client), member.again());
    other.client.delete("/api/v1/me/sessions").send().expect(204);
    stream.ends_at_once();
    let tool = member.again().make_token(&["read"]);
    let stream = watch(&project.world.bearer(&crate::support::world::text(&tool["token"])));
    let path = format!("/api/v1/me/tokens/{}", tool["id"]);
    other.client.delete(&path).send().expect(204);
    stream.ends_at_once();
}

#[test]
fn keys_have_no_notifications() {
    let project = Project::new();
    let refused = |client: &Client, status: u16| {
        let stream = Stream::ask(client, STREAM, &[]);
        assert_eq!(stream.status, status);
        assert!(stream.refusal()["detail"].is_string());
    };
    refused(&project.world.anonymous(), 401);
    refused(&project.world.bearer(&project.key_for(&["ingest", "releases", "read"])), 403);
}
