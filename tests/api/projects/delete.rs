//! `DELETE /api/v1/projects/{project_id}`.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, json, maps};

#[test]
fn a_deleted_project_loses_all_its_data_and_others_lose_none() {
    let project = Project::new();
    let other = project.other();
    for project in [&project, &other] {
        project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
        project.digest(&json!({"event_id": "the same id", "message": "x"}));
        project.digest(&Project::throw(Some("1.0.0")));
    }
    assert_eq!(project.owner.delete(&project.path("")).send().text(), "");
    project.post(&json!({"message": "x"})).refuse(401, "Invalid API key");
    project.upload("2", "~/a.js", &maps::cart()).refuse(401, "Invalid API key");
    project.owner.get(&project.path("/issues")).send().refuse(403, "access");

    let left = project.owner.get("/api/v1/events/the%20same%20id").send().expect(200);
    assert_eq!(left["project_id"], other.id, "no longer ambiguous");
    let event = other.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total");
    let list =
        project.owner.get(&format!("{}/projects", project.world.organization_path())).send().expect(200);
    assert!(list["projects"].as_array().unwrap().iter().all(|listed| listed["id"] != project.id));
}

#[test]
fn events_accepted_just_before_do_no_harm() {
    let project = Project::new();
    let other = project.other();
    let batch: Vec<_> =
        (0..100).map(|n| project.with_key(&json!({"message": format!("number {n}")}))).collect();
    project.world.anonymous().post("/api/v1/errors/batch").json(&json!(batch)).send().expect(202);
    project.owner.delete(&project.path("")).send().expect(204);
    other.digest(&json!({"message": "x"}));
    assert_eq!(other.issue()["event_count"], 1);
}
