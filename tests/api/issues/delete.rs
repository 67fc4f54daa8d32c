//! `DELETE /api/v1/projects/{project_id}/issues/{issue_id}`.

use crate::support::{Project, Value, json};

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

/// The names in a list of the project, sorted.
fn names(project: &Project, list: &str, field: &str) -> Vec<String> {
    let answer = project.owner.get(&project.path(&format!("/{list}"))).send().expect(200);
    let name = |each: &Value| each[field].as_str().unwrap().to_owned();
    let mut names: Vec<String> = answer[list].as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_release_and_an_environment_that_only_a_deleted_issue_had_leave_the_lists() {
    let project = Project::new();
    project.digest(&json!({"message": "real", "release": "2.0.0", "environment": "production"}));
    // As the first steps send it.
    let test = project.digest(&json!({"message": "a test", "release": "1.0.0", "environment": "test"}));
    assert_eq!(names(&project, "releases", "version"), ["1.0.0", "2.0.0"]);
    assert_eq!(names(&project, "environments", "name"), ["production", "test"]);
    project.owner.delete(&project.path(&format!("/issues/{}", test["issue_id"]))).send().expect(204);
    assert_eq!(names(&project, "releases", "version"), ["2.0.0"]);
    assert_eq!(names(&project, "environments", "name"), ["production"]);
    project.owner.get(&project.path("/releases/1.0.0")).send().refuse(404, "not found");
}
