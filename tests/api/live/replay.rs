//! Coming back.

use super::{named, until_counted, watch};
use crate::support::{Project, Server, Stream, World, json};
use std::sync::Arc;

#[test]
fn a_client_that_reconnects_gets_the_messages_that_it_missed() {
    let project = Project::alone();
    let mut stream = watch(&project);
    let first = project.digest(&json!({"message": "first"}));
    until_counted(&mut stream, 1);
    let last = stream.last_id.clone();
    drop(stream);
    let mut missed = Vec::new();
    for message in ["second", "third", "third"] {
        missed.push(project.digest(&json!({"message": message}))["issue_id"].as_i64().unwrap());
    }
    missed.dedup();
    let path = project.path("/stream");
    let by_query = format!("{path}?last_event_id={last}");
    for (path, headers) in [
        (path.as_str(), vec![("last-event-id", last.as_str())]),
        (by_query.as_str(), vec![]),
        // A browser repeats the address that it was given, and its header is the newer.
        (&format!("{path}?last_event_id=old"), vec![("last-event-id", last.as_str())]),
    ] {
        let mut stream = Stream::open(&project.owner, path, &headers);
        let told = until_counted(&mut stream, 3);
        assert_eq!(named(&told), missed, "{headers:?} {told:?}");
        assert!(!named(&told).contains(&first["issue_id"].as_i64().unwrap()));
    }
}

#[test]
fn a_stream_without_messages_can_be_resumed() {
    let project = Project::alone();
    let stream = watch(&project);
    let last = stream.last_id.clone();
    drop(stream);
    project.digest(&json!({"message": "one"}));
    let mut stream = Stream::open(&project.owner, &project.path("/stream"), &[("last-event-id", &last)]);
    assert_eq!(until_counted(&mut stream, 1).len(), 2);
}

#[test]
fn a_stream_can_be_resumed_between_the_two_messages_of_an_event() {
    let project = Project::new();
    let mut stream = watch(&project);
    project.digest(&json!({"message": "one"}));
    let issue = stream.next().unwrap();
    assert_eq!(issue.event, "issue");
    // The connection breaks before the second of the two.
    let mut stream = Stream::open(&project.owner, &project.path("/stream"), &[("last-event-id", &issue.id)]);
    until_counted(&mut stream, 1);
}

#[test]
fn an_unknown_id_has_everything_loaded_again() {
    let project = Project::new();
    let other = Project::named("Other");
    let foreign = watch(&other).last_id;
    for id in ["x", "0", "abc-1", "-", "0000000000000000-99", &foreign, &"9".repeat(2_000)] {
        let mut stream = Stream::open(&project.owner, &project.path("/stream"), &[("last-event-id", id)]);
        let told = stream.next().unwrap();
        assert_eq!((told.event.as_str(), told.data), ("issue", json!({"ids": [], "more": true})), "{id}");
        assert_eq!(told.id, watch(&project).last_id);
        // From there on as ever.
        let event = project.digest(&json!({"message": "one"}));
        assert_eq!(until_counted(&mut stream, 1)[0].data["ids"], json!([event["issue_id"]]), "{id}");
    }
}

#[test]
fn an_empty_id_counts_as_none() {
    let project = Project::new();
    for path in ["/stream", "/stream?last_event_id="] {
        let mut stream = Stream::open(&project.owner, &project.path(path), &[("last-event-id", "")]);
        project.digest(&json!({"message": "one"}));
        assert_eq!(until_counted(&mut stream, 1).len(), 2, "{path}");
    }
}

#[test]
fn after_a_restart_everything_is_loaded_again() {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Restarted");
    let mut stream = watch(&project);
    project.digest(&json!({"message": "one"}));
    until_counted(&mut stream, 1);
    let last = stream.last_id.clone();
    let path = project.path("/stream");
    let world = Arc::into_inner(project.world).unwrap().restart();
    let mut stream = Stream::open(&world.owner, &path, &[("last-event-id", &last)]);
    assert_eq!(stream.next().unwrap().data, json!({"ids": [], "more": true}));
}

#[test]
fn a_stream_begins_where_a_list_was_read() {
    let project = Project::alone();
    let list = || project.owner.get(&project.path("/issues")).send().expect(200);
    // It can be read slightly before its message is sent.
    let mut told = watch(&project);
    let before = project.digest(&json!({"message": "before"}))["issue_id"].as_i64().unwrap();
    until_counted(&mut told, 1);
    drop(told);
    let read = list();
    assert_eq!(read["issues"][0]["id"], before);
    let after = project.digest(&json!({"message": "after"}))["issue_id"].as_i64().unwrap();
    let position = read["position"].as_str().unwrap();
    let path = format!("{}?last_event_id={position}", project.path("/stream"));
    let mut stream = Stream::open(&project.owner, &path, &[]);
    assert_eq!(named(&until_counted(&mut stream, 1)), [after]);
    // The next list includes everything that was sent, and its position comes after it.
    let read = list();
    assert_eq!(read["position"], stream.last_id);
    assert_eq!(read["total"], 2);
}
