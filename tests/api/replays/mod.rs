//! Session replays: `POST /api/v1/replays` and `/replays/chunk`, their reads, and their deletion.

mod clock;
mod delete;
mod intake;
mod links;
mod pieces;
mod rate;
mod read;

use crate::support::project::fresh_id;
use crate::support::{Project, Response, Value, eventually, json};
use std::fs;
use std::path::Path;

/// A time that every replay here starts at, in milliseconds.
pub(crate) fn start() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap() - 120_000
}

/// A page, its first picture, and a click.
pub(crate) fn events(start: i64) -> Value {
    json!([
        {"type": 4, "timestamp": start, "data": {"href": "https://shop.example/cart", "width": 800, "height": 600}},
        {"type": 2, "timestamp": start + 1, "data": {"node": {"type": 0, "childNodes": [], "id": 1}}},
        {"type": 3, "timestamp": start + 500, "data": {"source": 2, "type": 2, "id": 1, "x": 5, "y": 6}},
    ])
}

/// A whole replay of a session.
pub(crate) fn whole(session: &str) -> Value {
    let start = start();
    json!({"session_id": session, "window_id": "w", "start_timestamp": start, "end_timestamp": start + 60_000,
        "duration_ms": 60_000, "has_full_snapshot": true, "environment": "production", "release": "1.4.2",
        "rrweb_version": "2.1.6", "url": "https://shop.example/cart", "user": {"id": "7", "email": "Ada@example.com"}, "events": events(start)})
}

/// Records a replay in which a button with a text appears and is clicked, and gives it to an event that happens now.
pub(crate) fn record(project: &Project, event: &mut Value, text: &str) {
    let (mut sent, now) = (whole(&fresh_id()), start() + 120_000);
    let begun = now - 3_000;
    let button = json!({"type": 2, "id": 9, "tagName": "button", "attributes": {},
        "childNodes": [{"type": 3, "id": 10, "textContent": text}]});
    let appears = json!({"source": 0, "adds": [{"parentId": 1, "nextId": null, "node": button}]});
    let clicked = json!({"source": 2, "type": 2, "id": 9, "x": 5, "y": 6});
    let mut recorded = events(begun);
    for (after, data) in [(1_000, appears), (2_000, clicked)] {
        let more = json!({"type": 3, "timestamp": begun + after, "data": data});
        recorded.as_array_mut().unwrap().push(more);
    }
    sent["events"] = recorded;
    sent["replay_id"] = json!(fresh_id());
    (sent["start_timestamp"], sent["end_timestamp"]) = (json!(begun), json!(now));
    (event["replay_id"], event["timestamp"]) = (sent["replay_id"].clone(), json!(now));
    replay(project, &send(project, &sent), 1);
}

/// A part with one event.
pub(crate) fn chunk(session: &str, index: i64, total: Option<i64>) -> Value {
    let start = start();
    let event = json!({"type": 3, "timestamp": start + index * 1_000, "data": {"source": 0, "part": index}});
    let mut chunk = json!({"session_id": session, "window_id": "w", "chunk_index": index, "total_chunks": total,
        "events": [event]});
    if index == 0 {
        chunk["metadata"] = json!({"start_timestamp": start, "end_timestamp": start + 1_000, "release": "2"});
    }
    chunk
}

pub(crate) fn post(project: &Project, path: &str, body: &Value) -> Response {
    project.world.anonymous().post(path).json(&project.with_key(body)).send()
}

/// Sends a replay that must be accepted; its id.
#[track_caller]
pub(crate) fn send(project: &Project, replay: &Value) -> String {
    post(project, "/api/v1/replays", replay).expect(202)["replay_id"].as_str().unwrap().to_owned()
}

/// Sends a part that must be accepted; the replay's id.
#[track_caller]
pub(crate) fn send_chunk(project: &Project, chunk: &Value) -> String {
    post(project, "/api/v1/replays/chunk", chunk).expect(202)["replay_id"].as_str().unwrap().to_owned()
}

/// The replay, once it has so many parts.
#[track_caller]
pub(crate) fn replay(project: &Project, id: &str, chunks: i64) -> Value {
    let path = format!("/api/v1/replays/{id}?project_id={}", project.id);
    eventually("the replay", || {
        let answer = project.owner.get(&path).send();
        if answer.status() == 404 {
            return None;
        }
        let replay = answer.expect(200);
        (replay["chunks"] == chunks).then_some(replay)
    })
}

/// The files of replays.
pub(crate) fn files(project: &Project) -> usize {
    let folders = fs::read_dir(project.world.server.data_dir().join("replays")).unwrap();
    let of = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    folders
        .map(|folder| folder.unwrap().path())
        .filter(|path| path.file_name().unwrap().len() == 2)
        .map(|f| of(&f))
        .sum()
}

/// The numbers of the parts whose events are read.
#[track_caller]
pub(crate) fn parts(project: &Project, id: &str, from: i64) -> (Vec<i64>, String) {
    let path = format!("/api/v1/replays/{id}/events?project_id={}&from_chunk={from}", project.id);
    let answer = project.owner.get(&path).send();
    let next = answer.header("x-next-chunk").unwrap_or_default().to_owned();
    let events = answer.expect(200);
    (events.as_array().unwrap().iter().filter_map(|event| event["data"]["part"].as_i64()).collect(), next)
}
