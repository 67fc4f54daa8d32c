//! Ignoring: for good, or until something.

use crate::support::{Project, Stream, Value, eventually, json};
use jiff::{SignedDuration, Timestamp};

fn throw(project: &Project, user: &str) -> Value {
    project.digest(&json!({"message": "it failed", "user": {"id": user}}));
    project.issue()
}

fn ignored(condition: Value) -> (Project, Value) {
    let project = Project::new();
    throw(&project, "u0");
    let mut change = json!({"status": "ignored"});
    change.as_object_mut().unwrap().extend(condition.as_object().unwrap().clone());
    let issue = project.change(&project.issue(), &change);
    assert_eq!((&issue["status"], &issue["substatus"]), (&json!("ignored"), &Value::Null));
    (project, issue)
}

#[test]
fn an_ignored_issue_stays_ignored() {
    let (project, _) = ignored(json!({}));
    for _ in 0..5 {
        assert_eq!(throw(&project, "u")["status"], "ignored");
    }
    assert_eq!(project.issue()["event_count"], 6);
}

#[test]
fn an_issue_comes_back_after_so_many_events() {
    let (project, issue) = ignored(json!({"ignore_events": 3}));
    assert_eq!(issue["ignore_events"], 4, "the count at which it comes back");
    assert_eq!(throw(&project, "u")["status"], "ignored");
    assert_eq!(throw(&project, "u")["status"], "ignored");
    let back = throw(&project, "u");
    assert_eq!((&back["status"], &back["ignore_events"]), (&json!("unresolved"), &Value::Null));
    assert_ne!(back["substatus"], "regressed");
}

#[test]
fn an_issue_comes_back_after_so_many_users() {
    let (project, _) = ignored(json!({"ignore_users": 2}));
    assert_eq!(throw(&project, "u0")["status"], "ignored");
    assert_eq!(throw(&project, "u1")["status"], "ignored");
    assert_eq!(throw(&project, "u1")["status"], "ignored");
    assert_eq!(throw(&project, "u2")["status"], "unresolved");
}

#[test]
fn an_issue_comes_back_at_a_time_and_streams_are_notified() {
    // On a busy machine the time may be over before the stream is open: then it is done once more.
    let (project, issue, mut stream) = eventually("a stream that was open before the time", || {
        let soon = Timestamp::now().saturating_add(SignedDuration::from_secs(1)).unwrap();
        let (project, issue) = ignored(json!({"ignore_until": soon.to_string()}));
        let stream = Stream::open(&project.owner, &project.path("/stream"), &[]);
        (project.issue()["status"] == "ignored").then_some((project, issue, stream))
    });
    let back =
        eventually("the issue", || Some(project.issue()).filter(|issue| issue["status"] == "unresolved"));
    assert_eq!((&back["ignore_until"], &back["substatus"]), (&Value::Null, &json!("new")));
    stream.until("the change", |message| {
        message.data["ids"].as_array().is_some_and(|ids| ids.contains(&issue["id"]))
    });
    let activity = project.owner.get(&format!("{}/activity", project.issue_path(&issue))).send().expect(200);
    assert_eq!(activity["activity"][0]["kind"], "unignored");
}

#[test]
fn a_time_brings_it_back_with_the_next_event() {
    let soon = Timestamp::now().saturating_add(SignedDuration::from_millis(400)).unwrap();
    let (project, issue) = ignored(json!({"ignore_until": soon.to_string()}));
    assert_eq!(
        issue["ignore_until"].as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond(),
        soon.as_millisecond()
    );
    eventually("the time", || (Timestamp::now() > soon).then_some(()));
    assert_eq!(throw(&project, "u")["status"], "unresolved");
    let later = Timestamp::now().saturating_add(SignedDuration::from_hours(1)).unwrap();
    let (project, _) = ignored(json!({"ignore_until": later.to_string()}));
    assert_eq!(throw(&project, "u")["status"], "ignored");
}

#[test]
fn another_status_forgets_the_condition() {
    let (project, issue) = ignored(json!({"ignore_events": 3, "ignore_users": 5}));
    let open = project.change(&issue, &json!({"status": "unresolved"}));
    for field in ["ignore_events", "ignore_users", "ignore_until"] {
        assert_eq!(open[field], Value::Null, "{field}");
    }
    let ignored = project.change(&issue, &json!({"status": "ignored"}));
    assert_eq!(ignored["ignore_events"], Value::Null);
}
