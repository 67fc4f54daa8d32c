//! `POST /api/v1/logs/batch`, and every route that shows log entries.

mod batch;
mod context;
mod correlation;
mod entries;
mod export;
mod fields;
mod filters;
mod key;
mod language;
mod overview;
mod pages;
mod projects;
mod refused;
mod repeats;
mod tail;

use crate::support::project::encoded;
use crate::support::{Project, Response, Value, eventually, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds.
fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// An entry of a minute ago plus so many milliseconds, at the level `info`.
fn entry(after: i64, message: &str) -> Value {
    json!({"timestamp": (now() - 60_000 + after) as f64 / 1e3, "level": "info", "message": message})
}

/// An entry with these fields instead.
fn with(mut entry: Value, fields: &Value) -> Value {
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    entry
}

fn post(project: &Project, logs: &Value) -> Response {
    let body = project.with_key(&json!({"logs": logs}));
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send()
}

/// Sends entries, all of which must be accepted, and waits until they are found.
#[track_caller]
fn store(project: &Project, logs: &[Value]) {
    store_with(project, logs, &json!({}));
}

/// The same with more fields in the batch.
#[track_caller]
fn store_with(project: &Project, logs: &[Value], fields: &Value) {
    let before = total(project, "");
    for part in logs.chunks(100) {
        let body = with(project.with_key(&json!({"logs": part})), fields);
        let answer = project.world.anonymous().post("/api/v1/logs/batch").json(&body).send();
        assert_eq!(answer.expect(202), json!({"accepted": part.len(), "dropped": 0}));
    }
    until_total(project, before + logs.len() as u64);
}

#[track_caller]
fn until_total(project: &Project, expected: u64) {
    eventually("the entries to be found", || (total(project, "") == expected).then_some(()));
}

/// A list of the project, with a query string such as `?limit=1`.
#[track_caller]
fn read(project: &Project, rest: &str) -> Value {
    project.owner.get(&project.path(&format!("/logs{rest}"))).send().expect(200)
}

#[track_caller]
fn total(project: &Project, rest: &str) -> u64 {
    read(project, rest)["total"].as_u64().unwrap()
}

/// The messages that a search finds, the newest first.
#[track_caller]
fn found(project: &Project, search: &str) -> Vec<String> {
    messages(&read(project, &format!("?search={}", encoded(search))))
}

fn messages(list: &Value) -> Vec<String> {
    let logs = list["logs"].as_array().unwrap();
    logs.iter().map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
}

/// Milliseconds as a query string has them.
fn iso(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap().to_string()
}
