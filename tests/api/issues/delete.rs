//! `DELETE /api/v1/projects/{project_id}/issues/{issue_id}`.

use crate::support::{Project, json};

#[test]
fn a_deleted_issue_loses_its_events_and_a_new_event_makes_a_new_issue() {
    let project = Project::new();
    project.accept(&json!({"event_id": "one", "message": "it failed", "tags": {"a": "b"}}));
    let event = project.digest(&json!({"event_id": "two", "message": "it failed"}));
    let issue = project.issue();
    let path = project.issue_path(&issue);
    project.owner.delete(&path).send().expect(204);
    project.owner.get(&path).send().refuse(404, "issue");
    project.owner.delete(&path).send().refuse(404, "issue");
    assert_eq!(project.issues("")["total"], 0);
    for id in ["one", "two"] {
        project
            .owner
            .get(&format!("/api/v1/events/{id}?project_id={}", project.id))
            .send()
            .refuse(404, "event");
    }
    let again = project.digest(&json!({"event_id": "three", "message": "it failed"}));
    assert_ne!(again["issue_id"], event["issue_id"]);
    assert_eq!(project.issue()["event_count"], 1);
    assert_ne!(project.issue()["short_id"], issue["short_id"], "a number is never used twice");
}

#[test]
fn another_issue_with_the_same_stack_is_untouched() {
    let project = Project::new();
    let first = project.digest(&Project::throw(None));
    let mut other = Project::throw(None);
    other["fingerprint"] = json!(["other"]);
    let second = project.digest(&other);
    project.owner.delete(&project.path(&format!("/issues/{}", first["issue_id"]))).send().expect(204);
    let still = project.event(second["event_id"].as_str().unwrap());
    assert_eq!(still["exception"]["frames"].as_array().unwrap().len(), 2);
}
