//! Resolving, and coming back.

use crate::support::{Project, Value, json};

/// A project with one issue, whose event has this release.
fn thrown(release: Option<&str>) -> (Project, Value) {
    let project = Project::new();
    throw(&project, release);
    let issue = project.issue();
    (project, issue)
}

/// Throws again and returns the issue afterwards.
fn throw(project: &Project, release: Option<&str>) -> Value {
    project.digest(&json!({"message": "it failed", "release": release}));
    project.issue()
}

#[test]
fn a_new_event_on_a_resolved_issue_reopens_it_as_regressed() {
    let (project, issue) = thrown(None);
    let resolved = project.change(&issue, &json!({"status": "resolved"}));
    assert_eq!((&resolved["status"], &resolved["substatus"]), (&json!("resolved"), &Value::Null));
    let again = throw(&project, None);
    assert_eq!((&again["status"], &again["substatus"]), (&json!("unresolved"), &json!("regressed")));
    assert_eq!((&again["id"], &again["event_count"]), (&issue["id"], &json!(2)));
    // Resolved again, it is no regression until its error comes back.
    project.change(&issue, &json!({"status": "resolved"}));
    let opened = project.change(&issue, &json!({"status": "unresolved"}));
    assert_eq!((&opened["status"], &opened["substatus"]), (&json!("unresolved"), &json!("new")));
}

#[test]
fn an_older_release_does_not_reopen_an_issue_that_a_newer_one_fixed() {
    let (project, issue) = thrown(Some("1.2.0"));
    let change = json!({"status": "resolved", "resolved_in_release": "1.10.0"});
    assert_eq!(project.change(&issue, &change)["resolved_in_release"], "1.10.0");
    for older in ["1.2.0", "1.9.9", "1.10.0-rc.1", "v1.3.0", "shop@1.4.0"] {
        let issue = throw(&project, Some(older));
        assert_eq!(issue["status"], "resolved", "{older}");
    }
    assert_eq!(project.issue()["event_count"], 6, "counted all the same");
    let again = throw(&project, Some("1.10.0"));
    assert_eq!((&again["status"], &again["substatus"]), (&json!("unresolved"), &json!("regressed")));
    assert_eq!(again["resolved_in_release"], Value::Null);
    for newer in ["1.10.1", "2.0.0"] {
        project.change(&issue, &change);
        assert_eq!(throw(&project, Some(newer))["substatus"], "regressed", "{newer}");
    }
}

#[test]
fn versions_that_are_no_numbers_are_ordered_by_their_creation() {
    let project = Project::new();
    for version in ["build-apple", "build-zebra", "build-mango"] {
        project.make_release(version);
        // The order is by creation time: let the clock move on.
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    throw(&project, Some("build-apple"));
    let issue = project.issue();
    project.change(&issue, &json!({"status": "resolved", "resolved_in_release": "build-zebra"}));
    assert_eq!(throw(&project, Some("build-apple"))["status"], "resolved");
    assert_eq!(throw(&project, Some("build-mango"))["substatus"], "regressed");
    project.change(&issue, &json!({"status": "resolved", "resolved_in_release": "build-zebra"}));
    assert_eq!(throw(&project, Some("build-zebra"))["substatus"], "regressed");
    project.change(&issue, &json!({"status": "resolved", "resolved_in_release": "build-zebra"}));
    assert_eq!(throw(&project, Some("never made"))["substatus"], "regressed");
}

#[test]
fn resolved_in_the_next_release_waits_for_it() {
    let project = Project::new();
    project.make_release("one");
    throw(&project, Some("one"));
    let issue = project.issue();
    let resolved = project.change(&issue, &json!({"status": "resolved", "resolved_in_release": "next"}));
    assert_eq!(resolved["resolved_in_release"], "next");
    assert_eq!(throw(&project, Some("one"))["status"], "resolved");
    std::thread::sleep(std::time::Duration::from_millis(2));
    project.make_release("two");
    let again = throw(&project, Some("two"));
    assert_eq!((&again["status"], &again["substatus"]), (&json!("unresolved"), &json!("regressed")));
}

#[test]
fn an_event_without_a_release_reopens() {
    let (project, issue) = thrown(Some("1.0.0"));
    project.change(&issue, &json!({"status": "resolved", "resolved_in_release": "2.0.0"}));
    assert_eq!(throw(&project, None)["substatus"], "regressed");
}

#[test]
fn an_event_accepted_before_it_was_resolved_but_sent_twice_changes_nothing() {
    let project = Project::new();
    let event = json!({"event_id": "once", "message": "it failed"});
    project.digest(&event);
    let issue = project.issue();
    project.change(&issue, &json!({"status": "resolved"}));
    project.accept(&event);
    // Something later of another issue, so that the repeated one has been digested.
    project.digest(&json!({"message": "another thing"}));
    let path = project.issue_path(&issue);
    assert_eq!(project.owner.get(&path).send().expect(200)["status"], "resolved");
}
