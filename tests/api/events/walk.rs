//! `GET /api/v1/projects/{project_id}/issues/{issue_id}/event`: from event to event.

use crate::support::project::encoded;
use crate::support::{Project, Response, Value, json};
use jiff::{SignedDuration, Timestamp};

fn ask(project: &Project, issue: &Value, id: Option<&str>) -> Response {
    let query = id.map_or_else(String::new, |id| format!("?id={}", encoded(id)));
    project.owner.get(&project.path(&format!("/issues/{issue}/event{query}"))).send()
}

/// A project with one issue, with events of these ids from so many minutes ago.
fn with_events(events: &[(&str, i64)]) -> (Project, Value) {
    let project = Project::new();
    for (id, minutes) in events {
        let time = Timestamp::now().saturating_sub(SignedDuration::from_mins(*minutes)).unwrap();
        // To the second, so that some are equal.
        let time = time.to_string()[..16].to_owned() + ":00Z";
        project.digest(&json!({"event_id": id, "message": "x", "timestamp": time, "tags": {"id": id}}));
    }
    let issue = project.issue()["id"].clone();
    (project, issue)
}

#[test]
fn events_are_ordered_by_time_and_then_by_arrival() {
    let (project, issue) =
        with_events(&[("d", 10), ("a", 40), ("e/ 1", 10), ("b", 30), ("f", 10), ("c", 20)]);
    let order = ["a", "b", "c", "d", "e/ 1", "f"];
    for (index, id) in order.iter().enumerate() {
        let answer = ask(&project, &issue, Some(id)).expect(200);
        assert_eq!(answer["event"]["event_id"], json!(id));
        let older = index.checked_sub(1).map(|older| order[older]);
        let walk = json!({"first": "a", "older": older, "newer": order.get(index + 1), "last": "f"});
        assert_eq!(answer["walk"], walk, "{id}");
    }
    // Lists have the reverse order.
    let list = project.owner.get(&project.path(&format!("/issues/{issue}/events"))).send().expect(200);
    let listed: Vec<_> =
        list["events"].as_array().unwrap().iter().rev().map(|e| e["event_id"].clone()).collect();
    assert_eq!(json!(listed), json!(order));
}

#[test]
fn newest_is_the_same_event_as_by_its_id() {
    let (project, issue) = with_events(&[("new", 1), ("old", 5)]);
    let newest = ask(&project, &issue, None).expect(200);
    assert_eq!(newest["event"], project.event("new"));
    assert_eq!(newest["walk"], json!({"first": "old", "older": "old", "newer": null, "last": "new"}));
    project.upload("1.0.0", crate::support::project::SCRIPT_URL, &crate::support::maps::cart()).expect(201);
    let thrown = project.digest(&Project::throw(Some("1.0.0")));
    let answer = ask(&project, &thrown["issue_id"], None).expect(200);
    assert_eq!(answer["event"], thrown);
    assert!(answer["event"]["exception"]["frames"][0]["resolved"].is_object());
    let id = thrown["event_id"].clone();
    assert_eq!(answer["walk"], json!({"first": id, "older": null, "newer": null, "last": id}));
}

#[test]
fn an_event_of_another_issue_or_project_is_not_found() {
    let (project, issue) = with_events(&[("mine", 1)]);
    let other = project.digest(&json!({"event_id": "elsewhere", "message": "another kind of message"}));
    assert_ne!(other["issue_id"], issue);
    let foreign = project.other();
    foreign.digest(&json!({"event_id": "foreign", "message": "x"}));
    for id in ["elsewhere", "foreign", "none", "", "%00", "\u{1F511}", &"x".repeat(300)] {
        ask(&project, &issue, Some(id)).refuse(404, "no such event");
    }
    // The same id in both projects means each its own.
    foreign.digest(&json!({"event_id": "mine", "message": "x"}));
    let theirs = ask(&foreign, &foreign.issue()["id"], Some("mine")).expect(200);
    assert_eq!(theirs["event"]["project_id"], json!(foreign.id));
    ask(&project, &foreign.issue()["id"], Some("mine")).refuse(404, "");
}

#[test]
fn a_key_that_reads_walks_too() {
    let (project, issue) = with_events(&[("one", 1)]);
    let path = project.path(&format!("/issues/{issue}/event"));
    project.world.bearer(&project.key_for(&["read"])).get(&path).send().expect(200);
    project.ci().get(&path).send().refuse(403, "read");
}
