//! `PATCH /api/v1/projects/{project_id}/issues/{issue_id}`.

use crate::support::{EMAIL, Project, Value, json};

fn thrown() -> (Project, Value) {
    let project = Project::new();
    project.digest(&json!({"message": "it failed", "level": "warning"}));
    let issue = project.issue();
    (project, issue)
}

#[test]
fn an_issue_has_all_its_fields() {
    let (project, issue) = thrown();
    let mut fields: Vec<&str> = issue.as_object().unwrap().keys().map(String::as_str).collect();
    fields.retain(|field| !field.starts_with("ignore_"));
    fields.sort_unstable();
    let expected = "account_count assignee created_at culprit environments event_count first_release first_seen \
        high_value_account high_value_at id last_release last_seen level message platform priority project_id resolved_in_release short_id status \
        substatus title trend type user_count within";
    assert_eq!(fields, expected.split_whitespace().collect::<Vec<_>>());
    // Only requests for a single issue look up the suspect release and the session of an agent.
    let mut alone = issue.clone();
    (alone["suspect_release"], alone["agent_session"]) = (Value::Null, Value::Null);
    assert_eq!(project.owner.get(&project.issue_path(&issue)).send().expect(200), alone);
}

#[test]
fn an_issue_is_assigned_and_given_back() {
    let (project, issue) = thrown();
    assert_eq!(issue["assignee"], Value::Null);
    let assigned = project.change(&issue, &json!({"assignee": project.world.owner_id}));
    assert_eq!(assigned["assignee"]["email"], EMAIL);
    assert_eq!(assigned["assignee"]["id"], project.world.owner_id);
    // Fields that are not sent stay.
    let changed = project.change(&issue, &json!({"priority": "low"}));
    assert_eq!((&changed["priority"], &changed["assignee"]["email"]), (&json!("low"), &json!(EMAIL)));
    assert_eq!(project.change(&issue, &json!({"assignee": null}))["assignee"], Value::Null);
    let patch = project.owner.patch(&project.issue_path(&issue)).json(&json!({"assignee": 999_999}));
    patch.send().refuse(422, "assignee");
}

#[test]
fn the_priority_follows_the_level_until_somebody_sets_it() {
    let project = Project::new();
    for (level, priority) in
        [("fatal", "high"), ("error", "high"), ("warning", "medium"), ("info", "low"), ("debug", "low")]
    {
        project.digest(&json!({"message": "it failed", "level": level}));
        assert_eq!(project.issue()["priority"], priority, "{level}");
    }
    let issue = project.issue();
    project.change(&issue, &json!({"priority": "medium"}));
    project.digest(&json!({"message": "it failed", "level": "fatal"}));
    assert_eq!(project.issue()["priority"], "medium");
}

#[test]
fn several_changes_apply_together_or_not_at_all() {
    let (project, issue) = thrown();
    let all = json!({"status": "resolved", "resolved_in_release": "2.0.0", "priority": "high", "assignee": project.world.owner_id});
    let changed = project.change(&issue, &all);
    assert_eq!((&changed["status"], &changed["priority"]), (&json!("resolved"), &json!("high")));
    let half = json!({"status": "ignored", "priority": "low", "assignee": 999_999});
    project.owner.patch(&project.issue_path(&issue)).json(&half).send().refuse(422, "assignee");
    assert_eq!(project.issue()["status"], "resolved");
    assert_eq!(project.issue()["priority"], "high");
}

#[test]
fn invalid_values_are_named() {
    let (project, issue) = thrown();
    let patch = |body: &Value| project.owner.patch(&project.issue_path(&issue)).json(body).send();
    for (body, part) in [
        (json!({}), "status"),
        (json!({"status": "closed"}), "status"),
        (json!({"status": 5}), "status"),
        (json!({"priority": "urgent"}), "priority"),
        (json!({"assignee": "ada"}), "assignee"),
        (json!({"ignore_events": 5}), "ignore_events"),
        (json!({"status": "resolved", "ignore_users": 5}), "ignore_users"),
        (json!({"status": "ignored", "ignore_events": 0}), "ignore_events"),
        (json!({"status": "ignored", "ignore_events": -3}), "ignore_events"),
        (json!({"status": "ignored", "ignore_users": 1.5}), "ignore_users"),
        (json!({"status": "ignored", "ignore_users": 99_999_999}), "ignore_users"),
        (json!({"status": "ignored", "ignore_until": "tomorrow"}), "ignore_until"),
        (json!({"resolved_in_release": "1"}), "resolved_in_release"),
        (json!({"status": "resolved", "resolved_in_release": "x".repeat(129)}), "resolved_in_release"),
        (json!({"status": "resolved", "resolved_in_release": ""}), "resolved_in_release"),
        (json!([]), ""),
    ] {
        patch(&body).refuse(422, part);
    }
    project.owner.patch(&project.issue_path(&issue)).body("application/json", "{").send().refuse(400, "JSON");
    project
        .owner
        .patch(&project.issue_path(&issue))
        .body("text/plain", "{}")
        .send()
        .refuse(415, "Content-Type");
    assert_eq!(project.issue(), issue);
}

#[test]
fn an_unknown_issue_is_not_found() {
    let (project, _) = thrown();
    let other = project.other();
    let theirs = other.digest(&json!({"message": "theirs"}))["issue_id"].clone();
    for id in ["999999999", "0", "-1", "x", "1.5", "99999999999999999999", "%00", &theirs.to_string()] {
        let path = project.path(&format!("/issues/{id}"));
        project.owner.get(&path).send().refuse(404, "issue");
        project.owner.patch(&path).json(&json!({"status": "resolved"})).send().refuse(404, "issue");
        project.owner.delete(&path).send().refuse(404, "issue");
        project.owner.get(&format!("{path}/events")).send().refuse(404, "issue");
        project.owner.get(&format!("{path}/tags")).send().refuse(404, "issue");
    }
    assert_eq!(other.issue()["status"], "unresolved");
}
