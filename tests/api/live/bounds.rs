//! How many streams there may be.

use super::{until_counted, watch, watch_as};
use crate::support::{Client, Project, Stream, eventually, json};

/// Streams of one person or key, and of all.
const EACH: usize = 32;
const ALL: usize = 256;
/// Places that keys leave to people with few streams, and with how many a person has many.
const OF_PEOPLE: usize = 32;
const MANY: usize = 8;

fn is_open(client: &Client, project: &Project) -> Option<Stream> {
    let stream = Stream::ask(client, &project.path("/stream"), &[]);
    (stream.status == 200).then_some(stream)
}

#[test]
fn a_person_has_at_most_thirty_two() {
    let project = Project::alone();
    let mut streams: Vec<Stream> = (0..EACH).map(|_| watch(&project)).collect();
    let refused = Stream::ask(&project.owner, &project.path("/stream"), &[]);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("10")));
    let detail = refused.refusal()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("32") && detail.contains("Close some"), "{detail}");
    // Another one's are not affected, and a place that was left is free.
    let key = project.world.bearer(&project.key_for(&["read"]));
    watch_as(&key, &project);
    drop(streams.pop());
    eventually("a free place", || is_open(&project.owner, &project));
    // Every stream gets the message.
    project.digest(&json!({"message": "one"}));
    streams.iter_mut().for_each(|stream| drop(until_counted(stream, 1)));
}

#[test]
fn streams_of_keys_leave_thirty_two_places_of_the_instance_to_people() {
    let project = Project::alone();
    let mut streams = Vec::new();
    for _ in 0..(ALL - OF_PEOPLE) / EACH {
        let key = project.world.bearer(&project.key_for(&["read"]));
        streams.extend((0..EACH).map(|_| watch_as(&key, &project)));
    }
    assert_eq!(streams.len(), ALL - OF_PEOPLE);
    let another = project.world.bearer(&project.key_for(&["read"]));
    let refused = Stream::ask(&another, &project.path("/stream"), &[]);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    let detail = refused.refusal()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("live streams"), "{detail}");
    // Everything else goes on, and people watch.
    let people: Vec<_> = (0..OF_PEOPLE / MANY).map(|_| project.world.member().client).collect();
    for person in &people {
        streams.extend((0..MANY).map(|_| watch_as(person, &project)));
        assert!(is_open(person, &project).is_none(), "who has many leaves the rest to others");
    }
    project.digest(&json!({"message": "one"}));
    streams.iter_mut().for_each(|stream| drop(until_counted(stream, 1)));
    streams.clear();
    eventually("a free place", || is_open(&another, &project));
}

#[test]
fn a_watcher_that_does_not_read_delays_nobody() {
    let project = Project::new();
    let stuck = watch(&project);
    let mut reading = watch(&project);
    for number in 0..20 {
        project.accept(&json!({"message": format!("{number}")}));
    }
    until_counted(&mut reading, 20);
    drop(stuck);
}
