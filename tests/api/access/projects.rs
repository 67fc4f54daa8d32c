//! Projects and organizations that are not the caller's: one answer, whether or not they exist.

use super::anonymous::untouched;
use crate::openapi::document::{Fixture, operations};
use crate::support::{Project, json};

const NO_PROJECT: &str = "You do not have access to this project";
const NO_ORGANIZATION: &str = "You do not have access to this organization";
const NOWHERE: [&str; 9] =
    ["999999999", "0", "-1", "x", "1.0", "%00", "99999999999999999999999", "..", "1%20or%201=1"];

#[test]
fn another_projects_key_opens_nothing() {
    let fixture = Fixture::in_project(Project::alone());
    let other = fixture.project.other();
    let key = other.key_for(&["ingest", "releases", "read"]);
    let stranger = fixture.project.world.bearer(&key);
    let mut count = 0;
    for operation in operations(&stranger).iter().filter(|operation| operation.path.contains("{project_id}"))
    {
        let body = json!({"status": "resolved", "ids": [1], "name": "taken"});
        assert_eq!(operation.request(&stranger, &fixture).json(&body).send().refuse(403, ""), NO_PROJECT);
        for id in NOWHERE {
            let path = fixture.fill_but(&operation.path, "{project_id}", id);
            let answer = stranger.request(&operation.method, &path).json(&body).send();
            assert_eq!(answer.refuse(403, ""), NO_PROJECT, "{} {path}", operation.method);
        }
        count += 1;
    }
    assert!(count >= 15, "{count} operations");
    untouched(&fixture);
}

#[test]
fn an_unknown_project_looks_like_another_persons() {
    let fixture = Fixture::in_project(Project::alone());
    let owner = &fixture.project.owner;
    for operation in operations(owner).iter().filter(|operation| operation.path.contains("{project_id}")) {
        for id in NOWHERE {
            let path = fixture.fill_but(&operation.path, "{project_id}", id);
            let answer = owner.request(&operation.method, &path).json(&json!({})).send();
            assert_eq!(answer.refuse(403, ""), NO_PROJECT, "{} {path}", operation.method);
        }
    }
    untouched(&fixture);
}

#[test]
fn an_unknown_organization_looks_like_another_persons() {
    let fixture = Fixture::in_project(Project::alone());
    let owner = &fixture.project.owner;
    let mut count = 0;
    for operation in operations(owner).iter().filter(|operation| operation.path.contains("{organization_id}"))
    {
        for id in NOWHERE {
            let path = fixture.fill_but(&operation.path, "{organization_id}", id);
            let answer = owner.request(&operation.method, &path).json(&json!({"name": "x"})).send();
            assert_eq!(answer.refuse(403, ""), NO_ORGANIZATION, "{} {path}", operation.method);
        }
        // Organizations are for people and their own keys.
        operation
            .request(&fixture.project.ci(), &fixture)
            .json(&json!({"name": "x"}))
            .send()
            .refuse(403, "key");
        count += 1;
    }
    assert!(count >= 19, "{count} operations");
    untouched(&fixture);
}

#[test]
fn a_deleted_project_looks_like_one_that_never_existed() {
    let project = Project::alone();
    let path = project.path("");
    project.owner.delete(&path).send().expect(204);
    assert_eq!(project.owner.get(&path).send().refuse(403, ""), NO_PROJECT);
    assert_eq!(project.owner.delete(&path).send().refuse(403, ""), NO_PROJECT);
    project.ci().get(&project.path("/releases")).send().refuse(401, "Invalid API key");
    project.post(&json!({"message": "x"})).refuse(401, "Invalid API key");
}
