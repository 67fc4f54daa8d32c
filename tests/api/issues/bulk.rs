//! `PATCH /api/v1/projects/{project_id}/issues`.

use crate::support::{Project, Value, json};

fn project_with(issues: usize) -> (Project, Vec<Value>) {
    let project = Project::new();
    let ids = ["alpha", "beta", "gamma", "delta"][..issues]
        .iter()
        .map(|word| project.digest(&json!({"message": format!("{word} failed")}))["issue_id"].clone())
        .collect();
    (project, ids)
}

#[test]
fn many_issues_are_changed_at_once() {
    let (project, ids) = project_with(4);
    let bulk = |body: &Value| project.owner.patch(&project.path("/issues")).json(body).send();
    let change =
        json!({"ids": ids[..3], "status": "resolved", "priority": "low", "assignee": project.world.owner_id});
    assert_eq!(bulk(&change).expect(200), json!({"updated": 3}));
    let resolved = project.issues("?status=resolved");
    assert_eq!(resolved["total"], 3);
    assert!(resolved["issues"].as_array().unwrap().iter().all(|issue| issue["priority"] == "low"));
    assert_eq!(project.issues("?status=unresolved")["issues"][0]["id"], ids[3]);
}

#[test]
fn ids_of_other_projects_are_passed_over() {
    let (project, mut ids) = project_with(1);
    let other = project.other();
    ids.push(other.digest(&json!({"message": "theirs"}))["issue_id"].clone());
    ids.push(json!(999_999_999));
    ids.push(json!(-1));
    let bulk = project.owner.patch(&project.path("/issues")).json(&json!({"ids": ids, "status": "resolved"}));
    assert_eq!(bulk.send().expect(200), json!({"updated": 1}));
    assert_eq!(other.issue()["status"], "unresolved");
}

#[test]
fn a_wrong_change_changes_none() {
    let (project, ids) = project_with(2);
    let bulk = |body: &Value| project.owner.patch(&project.path("/issues")).json(body).send();
    for (body, part) in [
        (json!({"ids": [], "status": "resolved"}), "ids"),
        (json!({"ids": vec![1; 1001], "status": "resolved"}), "ids"),
        (json!({"ids": ["x"], "status": "resolved"}), "ids"),
        (json!({"ids": 5, "status": "resolved"}), "ids"),
        (json!({"status": "resolved"}), "ids"),
        (json!({"ids": ids}), "status"),
        (json!({"ids": ids, "status": "closed"}), "status"),
        (json!({"ids": ids, "status": "resolved", "assignee": 999_999}), "assignee"),
    ] {
        bulk(&body).refuse(422, part);
    }
    assert_eq!(project.issues("?status=unresolved")["total"], 2);
}
