//! An issue that grows much faster than usual.

use crate::support::{Project, Value, eventually, json};
use jiff::{SignedDuration, Timestamp};

fn hours_ago(hours: i64) -> String {
    Timestamp::now().saturating_sub(SignedDuration::from_hours(hours)).unwrap().to_string()
}

fn escalating() -> (Project, Value) {
    let project = Project::new();
    let issue = escalate(&project);
    (project, issue)
}

/// Posts events of one issue until it escalates: an hour may begin in between. It is the project's only one.
pub(crate) fn escalate(project: &Project) -> Value {
    // It has a history.
    project.accept(&json!({"message": "it failed", "timestamp": hours_ago(30)}));
    eventually("an escalating issue", || {
        let batch: Vec<Value> = (0..10).map(|_| project.with_key(&json!({"message": "it failed"}))).collect();
        project.world.anonymous().post("/api/v1/errors/batch").json(&json!(batch)).send().expect(202);
        project.digest(&json!({"message": "it failed"}));
        Some(project.issue()).filter(|issue| issue["substatus"] == "escalating")
    })
}

#[test]
fn an_issue_escalates_as_its_events_arrive() {
    let (project, issue) = escalating();
    assert_eq!(issue["status"], "unresolved");
    let activity = project.owner.get(&format!("{}/activity", project.issue_path(&issue))).send().expect(200);
    let newest = &activity["activity"][0];
    assert_eq!((&newest["kind"], &newest["user"]), (&json!("escalating"), &Value::Null));
    let [limit, count] = ["limit", "count"].map(|name| newest["data"][name].as_i64().unwrap());
    assert!(limit >= 10 && count >= limit, "{newest}");
    assert_eq!(activity["total"], 2, "said once: {activity}");
    for (query, found) in [("is:escalating", 1), ("-is:escalating", 0), ("is:new", 0), ("is:unresolved", 1)] {
        assert_eq!(project.issues(&format!("?query={query}"))["total"], found, "{query}");
    }
}

#[test]
fn resolving_and_ignoring_end_it() {
    for status in ["resolved", "ignored"] {
        let (project, issue) = escalating();
        assert_eq!(project.change(&issue, &json!({"status": status}))["substatus"], Value::Null);
        assert_eq!(project.change(&issue, &json!({"status": "unresolved"}))["substatus"], "new");
        assert_eq!(project.issues("?query=is:escalating")["total"], 0);
    }
}

#[test]
fn imported_events_of_past_hours_do_not_count() {
    let project = Project::new();
    // Issues with few events, for comparison: the limit of a young issue is 10 here.
    for quiet in ["one", "two", "three", "four", "five", "six", "seven"] {
        for _ in 0..2 {
            project.accept(&json!({"message": quiet, "timestamp": hours_ago(3)}));
        }
    }
    for hours in 1..3 {
        let event = project.with_key(&json!({"message": "it failed", "timestamp": hours_ago(hours)}));
        let batch = json!(vec![event; 50]);
        project.world.anonymous().post("/api/v1/errors/batch").json(&batch).send().expect(202);
    }
    project.digest(&json!({"message": "it failed"}));
    let issue = project.issues("?query=failed")["issues"][0].clone();
    assert_eq!((&issue["event_count"], &issue["substatus"]), (&json!(101), &json!("new")));
}
