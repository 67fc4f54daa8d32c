//! The activity of an issue.

use crate::support::{EMAIL, Project, Value, json};

fn thrown() -> (Project, Value) {
    let project = Project::new();
    project.digest(&json!({"message": "it failed", "release": "1.0.0"}));
    let issue = project.issue();
    (project, issue)
}

fn activity(project: &Project, issue: &Value, query: &str) -> Value {
    project.owner.get(&format!("{}/activity{query}", project.issue_path(issue))).send().expect(200)
}

/// Kind and data of each entry, the newest first.
fn entries(project: &Project, issue: &Value) -> Vec<(String, Value)> {
    let list = activity(project, issue, "");
    let entries = list["activity"].as_array().unwrap();
    entries.iter().map(|entry| (entry["kind"].as_str().unwrap().to_owned(), entry["data"].clone())).collect()
}

#[test]
fn a_new_issue_has_only_its_first_entry() {
    let (project, issue) = thrown();
    let list = activity(&project, &issue, "");
    let first = json!({"id": null, "kind": "first_seen", "at": issue["first_seen"], "user": null,
        "data": {"release": "1.0.0"}});
    assert_eq!(list, json!({"activity": [first], "total": 1, "has_more": false}));
}

#[test]
fn each_change_of_a_person_is_written_down() {
    let (project, issue) = thrown();
    let until = "2040-01-01T00:00:00.000Z";
    let owner = project.world.owner_id;
    for (change, kind, data) in [
        (json!({"status": "resolved"}), "resolved", json!({})),
        (json!({"status": "resolved", "resolved_in_release": "2"}), "resolved", json!({"in_release": "2"})),
        (json!({"status": "unresolved"}), "unresolved", json!({})),
        (json!({"status": "ignored"}), "ignored", json!({})),
        (json!({"status": "ignored", "ignore_events": 5}), "ignored", json!({"events": 5})),
        (
            json!({"status": "ignored", "ignore_users": 7, "ignore_until": until}),
            "ignored",
            json!({"users": 7, "until": until}),
        ),
        (json!({"priority": "low"}), "priority", json!({"priority": "low"})),
        (
            json!({"assignee": owner}),
            "assigned",
            json!({"assignee": {"id": owner, "email": EMAIL, "name": "Ada"}}),
        ),
        (json!({"assignee": null}), "unassigned", json!({})),
    ] {
        let before = activity(&project, &issue, "")["total"].as_i64().unwrap();
        project.change(&issue, &change);
        // The second time it changes nothing.
        project.change(&issue, &change);
        let list = activity(&project, &issue, "");
        assert_eq!(list["total"], before + 1, "{change}: {list}");
        let newest = &list["activity"][0];
        assert_eq!((&newest["kind"], &newest["data"]), (&json!(kind), &data), "{change}");
        assert_eq!(newest["user"], json!({"id": owner, "email": EMAIL, "name": "Ada"}));
        assert!(newest["id"].is_i64() && newest["at"].is_string());
    }
}

#[test]
fn a_change_of_several_fields_makes_several_entries_and_a_refused_one_none() {
    let (project, issue) = thrown();
    let patch = project.owner.patch(&project.issue_path(&issue));
    patch.json(&json!({"status": "resolved", "assignee": 999_999})).send().refuse(422, "assignee");
    assert_eq!(activity(&project, &issue, "")["total"], 1);
    project.change(
        &issue,
        &json!({"status": "resolved", "priority": "low", "assignee": project.world.owner_id}),
    );
    let kinds: Vec<String> = entries(&project, &issue).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["priority", "assigned", "resolved", "first_seen"]);
}

#[test]
fn a_bulk_change_is_written_down_on_each_issue() {
    let project = Project::new();
    project.accept(&json!({"message": "one thing"}));
    project.digest(&json!({"message": "another"}));
    let issues = project.issues("")["issues"].as_array().unwrap().clone();
    let ids: Vec<&Value> = issues.iter().map(|issue| &issue["id"]).collect();
    let bulk = json!({"ids": ids, "status": "ignored"});
    project.owner.patch(&project.path("/issues")).json(&bulk).send().expect(200);
    for issue in &issues {
        assert_eq!(entries(&project, issue)[0], ("ignored".to_owned(), json!({})));
    }
}

#[test]
fn an_issue_that_comes_back_has_the_reason() {
    let (project, issue) = thrown();
    project.change(&issue, &json!({"status": "resolved"}));
    let event = project.digest(&json!({"message": "it failed", "release": "1.1.0"}));
    let list = activity(&project, &issue, "");
    let newest = &list["activity"][0];
    assert_eq!((&newest["kind"], &newest["user"]), (&json!("regressed"), &Value::Null));
    assert_eq!(newest["data"], json!({"release": "1.1.0", "event_id": event["event_id"]}));
    project.change(&issue, &json!({"status": "ignored", "ignore_events": 1}));
    project.digest(&json!({"message": "it failed"}));
    assert_eq!(entries(&project, &issue)[0], ("unignored".to_owned(), json!({})));
    assert_eq!(project.issue()["status"], "unresolved");
}

#[test]
fn activity_is_paged_with_the_first_event_last() {
    let (project, issue) = thrown();
    for priority in ["low", "high", "medium", "low"] {
        project.change(&issue, &json!({"priority": priority}));
    }
    let mut all = Vec::new();
    for offset in 0..5 {
        let page = activity(&project, &issue, &format!("?limit=1&offset={offset}"));
        assert_eq!((&page["total"], &page["has_more"]), (&json!(5), &json!(offset < 4)));
        all.extend(page["activity"].as_array().unwrap().clone());
    }
    assert_eq!(json!(all), activity(&project, &issue, "")["activity"]);
    assert_eq!(all[4]["kind"], "first_seen");
    assert_eq!(activity(&project, &issue, "?offset=5")["activity"], json!([]));
    let path = project.issue_path(&issue);
    project.owner.get(&format!("{path}/activity?limit=101")).send().refuse(422, "limit");
    project.owner.get(&project.path("/issues/0/activity")).send().refuse(404, "issue");
}
