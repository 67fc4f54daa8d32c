//! Entries as they are stored.

use super::{entry, post, with};
use crate::support::stream::Stream;
use crate::support::world::text;
use crate::support::{Client, Project, Value, eventually, json};
use std::time::Instant;

#[track_caller]
fn tail(client: &Client, project: &Project, query: &str) -> Stream {
    let mut stream = Stream::ask(client, &project.path(&format!("/logs/tail{query}")), &[]);
    assert_eq!((stream.status, stream.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(stream.block().as_deref(), Some(": listening"));
    stream
}

/// The next entries.
#[track_caller]
fn next(stream: &mut Stream) -> Vec<Value> {
    loop {
        let block = stream.block().expect("the stream goes on");
        if let Some(data) = block.strip_prefix("event: logs\ndata: ") {
            let arrived: Value = serde_json::from_str(data).unwrap();
            assert_eq!(arrived["skipped"], 0);
            return arrived["logs"].as_array().unwrap().clone();
        }
        assert_eq!(block, ": alive");
    }
}

#[test]
fn stored_entries_arrive_as_the_list_shows_them() {
    let project = Project::new();
    let mut stream = tail(&project.owner, &project, "");
    let logs: Vec<_> = (0..100).map(|number| entry(number, &format!("number {number}"))).collect();
    post(&project, &json!(logs)).expect(202);
    let arrived = next(&mut stream);
    assert_eq!(arrived.len(), 100);
    super::until_total(&project, 100);
    let listed = super::read(&project, "?limit=100")["logs"].as_array().unwrap().clone();
    assert_eq!(arrived.into_iter().rev().collect::<Vec<_>>(), listed);
}

#[test]
fn tails_are_limited_for_each_person() {
    let project = Project::new();
    let path = project.path("/logs/tail");
    let person = project.world.member();
    let mut open: Vec<Stream> = (0..32).map(|_| tail(&person.client, &project, "")).collect();
    let refused = Stream::ask(&person.client, &path, &[]);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("10")));
    // A stream of changes is one of them, too.
    assert_eq!(Stream::ask(&person.client, &project.path("/stream"), &[]).status, 429);
    tail(&project.world.member().client, &project, "");
    drop(open.pop());
    eventually("a place", || (Stream::ask(&person.client, &path, &[]).status == 200).then_some(()));
}

#[test]
fn it_is_filtered_as_the_list_is() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let mut errors = tail(&project.owner, &project, "?levels=error,fatal");
    let mut words = tail(&project.owner, &project, "?search=%22disk%20full%22%20-user:7&trace_id=T");
    let of = |message: &str, fields: Value| with(entry(0, message), &fields);
    post(&other, &json!([of("disk full", json!({"level": "error", "trace_id": "t"}))])).expect(202);
    let logs = [
        of("disk full", json!({"level": "error", "trace_id": "t", "user": {"id": 7}})),
        of("full disk", json!({"level": "info", "trace_id": "t"})),
        of("the Disk full", json!({"level": "info", "trace_id": "t"})),
    ];
    post(&project, &json!(logs)).expect(202);
    let messages =
        |entries: Vec<Value>| entries.iter().map(|entry| text(&entry["message"])).collect::<Vec<_>>();
    assert_eq!(messages(next(&mut errors)), ["disk full"]);
    let found = next(&mut words);
    assert_eq!(found[0]["highlights"], json!([[4, 13]]));
    assert_eq!(messages(found), ["the Disk full"]);
    // No other entry came meanwhile.
    post(&project, &json!([of("the last", json!({"level": "fatal"}))])).expect(202);
    assert_eq!(messages(next(&mut errors)), ["the last"]);
}

#[test]
fn a_repeated_batch_arrives_once() {
    let project = Project::new();
    let mut stream = tail(&project.owner, &project, "");
    let body = project.with_key(&json!({"logs": [entry(0, "once")]}));
    for _ in 0..3 {
        let request =
            project.world.anonymous().post("/api/v1/logs/batch").header("idempotency-key", "tailed");
        request.json(&body).send().expect(202);
    }
    post(&project, &json!([entry(0, "the last")])).expect(202);
    let mut arrived = next(&mut stream);
    while arrived.last().is_none_or(|entry| entry["message"] != "the last") {
        arrived.extend(next(&mut stream));
    }
    assert_eq!(arrived.len(), 2, "{arrived:?}");
}

#[test]
fn a_slow_watcher_gets_every_entry_or_the_number_that_it_missed() {
    let project = Project::new();
    let mut stream = tail(&project.owner, &project, "");
    let (batches, each) = (400, 3);
    let long = "x".repeat(8_000);
    let entries: Vec<_> = (0..each).map(|number| entry(number, &long)).collect();
    let (mut arrived, mut skipped) = (0, 0);
    let mut read = || {
        let block = stream.block().expect("the stream goes on");
        if let Some(data) = block.strip_prefix("event: logs\ndata: ") {
            let message: Value = serde_json::from_str(data).unwrap();
            arrived += message["logs"].as_array().unwrap().len() as u64;
            skipped += message["skipped"].as_u64().unwrap();
        }
        arrived + skipped
    };
    let mut last = Instant::now();
    for number in 1..=batches {
        post(&project, &json!(entries)).expect(202);
        // A watcher that reads nothing at all is disconnected after twenty seconds.
        if number % 20 == 0 || last.elapsed().as_secs() >= 5 {
            read();
            last = Instant::now();
        }
    }
    post(&project, &json!([entry(0, "the last")])).expect(202);
    while read() < batches * each as u64 + 1 {}
    assert_eq!(arrived + skipped, batches * each as u64 + 1, "{skipped} were skipped");
    assert!(arrived > 0);
}

#[test]
fn it_ends_when_the_key_is_revoked_or_the_project_deleted() {
    let project = Project::new();
    let key = project.make_key(&json!({"name": "reads", "scopes": ["read"]}));
    let stream = tail(&project.world.bearer(&text(&key["key"])), &project, "");
    project.owner.delete(&project.path(&format!("/api-keys/{}", key["id"]))).send().expect(204);
    stream.ends_at_once();
    let other = project.other();
    let stream = tail(&other.owner, &other, "");
    other.owner.delete(&other.path("")).send().expect(204);
    stream.ends_at_once();
}
