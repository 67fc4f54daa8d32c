//! What each scope of a key allows.

use crate::openapi::document::{Fixture, operations};
use crate::support::{Project, json};

#[test]
fn a_key_may_do_only_what_its_scopes_allow() {
    let project = Project::alone();
    for scope in ["ingest", "releases", "read"] {
        let fixture = Fixture::in_project(project.other());
        let client = project.world.bearer(&fixture.project.key_for(&[scope]));
        for operation in operations(&client).iter().filter(|operation| !operation.is_public()) {
            if operation.takes_runner() {
                operation.request(&client, &fixture).send().refuse(401, "runner");
            } else if !operation.takes_key(scope) {
                let body = json!({"name": "x", "status": "resolved", "ids": [1]});
                operation.request(&client, &fixture).json(&body).send().refuse(403, "");
            }
        }
        let issue = fixture.project.issue();
        assert_eq!((&issue["status"], &issue["event_count"]), (&"unresolved".into(), &1.into()));

        // Deletions come last.
        let (last, first): (Vec<_>, Vec<_>) =
            operations(&client).into_iter().partition(|operation| operation.method == "DELETE");
        for operation in first.iter().chain(&last) {
            if operation.takes_key(scope) && !operation.is_stream() {
                let answer = operation.request(&client, &fixture).send();
                assert!(!matches!(answer.status(), 401 | 403), "{scope}: {}: {answer:?}", operation.name());
            }
        }
    }
}

#[test]
fn a_key_is_not_a_person() {
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
