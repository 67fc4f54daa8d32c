//! An error event and the replay in which it happened.

use super::{replay, send, whole};
use crate::support::project::fresh_id;
use crate::support::{Project, Value, json};

fn of_event(project: &Project, event: &str) -> Value {
    project.owner.get(&format!("/api/v1/events/{event}/replay")).send().expect(200)
}

/// An error in a session's window, so many milliseconds after the replay's start.
fn throw(project: &Project, sent: &Value, after: i64) -> String {
    let mut event = Project::throw(None);
    event["session_id"] = sent["session_id"].clone();
    event["window_id"] = sent["window_id"].clone();
    event["timestamp"] = json!(sent["start_timestamp"].as_i64().unwrap() + after);
    let digested = project.digest(&event);
    digested["event_id"].as_str().unwrap().to_owned()
}

#[test]
fn an_error_and_a_replay_of_one_window_and_time_belong_together() {
    let project = Project::new();
    let sent = whole("together");
    let id = send(&project, &sent);
    replay(&project, &id, 1);
    let (during, after) = (throw(&project, &sent, 30_000), throw(&project, &sent, 100_000));
    assert_eq!(of_event(&project, &during)["replay_id"], id);
    assert_eq!(of_event(&project, &after), Value::Null, "the replay had ended");
    let read = replay(&project, &id, 1);
    assert_eq!(read["error_count"], 1);
    assert_eq!(read["errors"][0]["event_id"], during);
    let path = project.path("/replays?has_error=true");
    assert_eq!(project.owner.get(&path).send().expect(200)["total"], 1);
}

#[test]
fn an_error_names_its_replay_or_is_named_by_it() {
    let project = Project::new();
    let named = fresh_id();
    let mut event = Project::throw(None);
    event["replay_id"] = json!(named);
    let by_event = project.digest(&event)["event_id"].as_str().unwrap().to_owned();
    let by_replay = project.digest(&Project::throw(None))["event_id"].as_str().unwrap().to_owned();
    assert_eq!(of_event(&project, &by_event), Value::Null, "it has not arrived yet");
    let mut sent = whole("named");
    sent["replay_id"] = json!(named);
    sent["event_id"] = json!(by_replay);
    replay(&project, &send(&project, &sent), 1);
    assert_eq!(of_event(&project, &by_event)["replay_id"], named);
    assert_eq!(of_event(&project, &by_replay)["replay_id"], named);
}

#[test]
fn an_error_is_linked_by_any_of_its_ids_even_after_the_session_was_renewed() {
    let project = Project::new();
    // The page was idle, so the error was sent in a new session; the replay began in the previous one.
    let (naming, named) = (fresh_id(), fresh_id());
    let mut sent = whole("renewed");
    sent["event_id"] = json!(named);
    sent["replay_id"] = json!(fresh_id());
    for event_id in [&naming, &named] {
        let mut event = Project::throw(None);
        event["event_id"] = json!(event_id);
        event["session_id"] = json!("another");
        event["window_id"] = json!("w");
        if *event_id == naming {
            event["replay_id"] = sent["replay_id"].clone();
        }
        project.digest(&event);
    }
    let other = project.digest(&Project::throw(None))["event_id"].clone();
    let id = send(&project, &sent);
    let read = replay(&project, &id, 1);
    assert_eq!(read["error_count"], 2, "{read}");
    let mut ids: Vec<&str> =
        read["errors"].as_array().unwrap().iter().map(|error| error["event_id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    let mut expected = [naming.as_str(), named.as_str()];
    expected.sort_unstable();
    assert_eq!(ids, expected);
    assert_eq!(project.owner.get(&project.path("/replays?has_error=true")).send().expect(200)["total"], 1);
    assert_eq!(project.owner.get(&project.path("/replays?has_error=false")).send().expect(200)["total"], 0);
    assert_eq!(of_event(&project, other.as_str().unwrap()), Value::Null);
    // A deleted replay is linked to nothing.
    project.owner.delete(&format!("/api/v1/replays/{id}?project_id={}", project.id)).send().expect(204);
    assert_eq!(of_event(&project, &named), Value::Null);
}

#[test]
fn the_replays_of_an_issue_are_those_with_one_of_its_errors() {
    let project = Project::new();
    let (first, second) = (whole("first"), whole("second"));
    for sent in [&first, &second, &whole("third")] {
        replay(&project, &send(&project, sent), 1);
    }
    let during = throw(&project, &first, 30_000);
    let issue = project.issue()["id"].clone();
    let mut message = json!({"type": "message", "message": "another issue"});
    message["session_id"] = second["session_id"].clone();
    message["window_id"] = second["window_id"].clone();
    message["timestamp"] = second["end_timestamp"].clone();
    project.digest(&message);
    let list = |issue: &str| project.owner.get(&project.path(&format!("/replays?issue={issue}"))).send();
    let found = list(&issue.to_string()).expect(200);
    assert_eq!((&found["total"], &found["replays"][0]["session_id"]), (&json!(1), &json!("first")));
    assert_eq!(of_event(&project, &during)["session_id"], "first");
    // An issue of another project has none here, and looks like an unknown one.
    let other = project.other();
    other.digest(&Project::throw(None));
    assert_eq!(list(&other.issue()["id"].to_string()).expect(200)["total"], 0);
    assert_eq!(list("999999999").expect(200)["total"], 0);
    list("WEB-1").refuse(422, "issue: expected");
}
