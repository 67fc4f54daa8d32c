//! `GET /api/v1/projects/{project_id}/stream`.

mod access;
mod bounds;
mod messages;
mod replay;

use crate::support::stream::Message;
use crate::support::{Client, Project, Stream, Value};

/// The owner watches a project.
#[track_caller]
pub(crate) fn watch(project: &Project) -> Stream {
    watch_as(&project.owner, project)
}

#[track_caller]
fn watch_as(client: &Client, project: &Project) -> Stream {
    Stream::open(client, &project.path("/stream"), &[])
}

/// Messages until events have been counted `count` times, and one more issue message cannot be missing.
#[track_caller]
fn until_counted(stream: &mut Stream, count: u64) -> Vec<Message> {
    let mut counted = 0;
    stream.until("all events", |message| {
        counted += message.data["count"].as_u64().unwrap_or(0);
        assert!(counted <= count, "{counted} of {count}");
        counted == count
    })
}

/// The issues that messages name.
fn named(messages: &[Message]) -> Vec<i64> {
    let ids = |message: &Message| message.data["ids"].as_array().cloned().unwrap_or_default();
    let mut ids: Vec<i64> = messages.iter().flat_map(ids).map(|id| id.as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// A message that names exactly this issue.
pub(crate) fn names(message: &Message, issue: &Value) -> bool {
    message.event == "issue" && message.data["ids"] == Value::Array(vec![issue.clone()])
}
