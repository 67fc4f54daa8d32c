//! What each scope of a key opens.

use crate::openapi::document::{Fixture, Operation, operations};
use crate::support::{Project, json};

/// The scopes that open an operation to a key: the table of who may do what.
fn opened_by(operation: &Operation) -> &'static [&'static str] {
    if operation.takes_release_key() {
        return &["releases"];
    }
    match operation.name().as_str() {
        "GET /api/v1/me" => &["ingest", "releases", "read"],
        "GET /api/v1/events/{event_id}"
        | "GET /api/v1/events/{event_id}/logs"
        | "GET /api/v1/projects/{project_id}/logs"
        | "GET /api/v1/projects/{project_id}/logs/context"
        | "GET /api/v1/projects/{project_id}/logs/export"
        | "GET /api/v1/projects/{project_id}/logs/fields"
        | "GET /api/v1/projects/{project_id}/logs/histogram"
        | "GET /api/v1/projects/{project_id}/logs/tail"
        | "GET /api/v1/projects/{project_id}/logs/templates"
        | "GET /api/v1/projects/{project_id}/traces/{trace_id}/errors"
        | "GET /api/v1/projects/{project_id}"
        | "GET /api/v1/projects/{project_id}/limits"
        | "GET /api/v1/projects/{project_id}/stream"
        | "GET /api/v1/projects/{project_id}/trend"
        | "GET /api/v1/projects/{project_id}/issues"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/activity"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/comments"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/events"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/event"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/trend"
        | "GET /api/v1/projects/{project_id}/issues/{issue_id}/tags"
        | "GET /api/v1/projects/{project_id}/releases/{version}/unresolved" => &["read"],
        "GET /api/v1/projects/{project_id}/releases"
        | "GET /api/v1/projects/{project_id}/releases/{version}"
        | "GET /api/v1/projects/{project_id}/releases/{version}/sourcemaps" => &["read", "releases"],
        "DELETE /api/v1/projects/{project_id}/releases/{version}" => &["releases"],
        _ => &[],
    }
}

#[test]
fn a_key_does_what_its_scopes_say_and_nothing_else() {
    let project = Project::alone();
    for scope in ["ingest", "releases", "read"] {
        let fixture = Fixture::in_project(project.other());
        let client = project.world.bearer(&fixture.project.key_for(&[scope]));
        for operation in operations(&client).iter().filter(|operation| !operation.is_public()) {
            if !opened_by(operation).contains(&scope) {
                let body = json!({"name": "x", "status": "resolved", "ids": [1]});
                operation.request(&client, &fixture).json(&body).send().refuse(403, "");
            }
        }
        let issue = fixture.project.issue();
        assert_eq!((&issue["status"], &issue["event_count"]), (&"unresolved".into(), &1.into()));

        // What deletes comes last.
        let (last, first): (Vec<_>, Vec<_>) =
            operations(&client).into_iter().partition(|operation| operation.method == "DELETE");
        for operation in first.iter().chain(&last) {
            if opened_by(operation).contains(&scope) && !operation.is_stream() {
                let answer = operation.request(&client, &fixture).send();
                assert!(!matches!(answer.status(), 401 | 403), "{scope}: {}: {answer:?}", operation.name());
            }
        }
    }
}

#[test]
fn a_key_is_no_person() {
    let fixture = Fixture::in_project(Project::alone());
    let project = &fixture.project;
    let all = project.world.bearer(&project.key_for(&["ingest", "releases", "read"]));
    all.post("/auth/logout").send().refuse(403, "");
    all.get("/api/v1/organizations").send().refuse(403, "");
    all.get(&project.path("/api-keys")).send().refuse(403, "");
    all.post(&project.path("/api-keys")).json(&json!({"name": "more"})).send().refuse(403, "");
    all.patch(&project.path("")).json(&json!({"name": "mine"})).send().refuse(403, "");
    all.delete(&project.path("")).send().refuse(403, "");
    all.get(&project.path("/issues?assignee=me")).send().refuse(422, "assignee");
    let me = all.get("/api/v1/me").send().expect(200);
    assert_eq!(
        me,
        json!({"kind": "project_key", "project_id": project.id, "scopes": ["ingest", "releases", "read"]})
    );
    let keys = project.owner.get(&project.path("/api-keys")).send().expect(200);
    assert_eq!(keys["total"], 3);
}
