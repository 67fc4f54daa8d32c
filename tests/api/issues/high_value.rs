//! Issues of high-value accounts.

use crate::support::{Project, Value, json};

fn event(message: &str, account: &str, name: &str) -> Value {
    json!({"message": message, "account": {"id": account, "name": name}})
}

#[test]
fn an_issue_of_a_high_value_account_is_marked_and_announced() {
    let project = Project::alone();
    let settings = json!({"settings": {"high_value": {"ids": ["7"], "patterns": ["acme*"]}}});
    let saved = project.owner.patch(&project.path("")).json(&settings).send().expect(200);
    assert_eq!(
        saved["settings"]["high_value"],
        json!({"ids": ["7"], "patterns": ["acme*"], "tags": [], "busiest": true})
    );
    project.digest(&event("one", "1", "Example"));
    project.digest(&event("two", "8", "ACME Ltd"));
    project.digest(&event("two", "7", "Seven"));
    assert_eq!(project.issues("?query=-is:high-value")["issues"][0]["title"], "one");
    let marked = project.issues("?query=is:high-value");
    assert_eq!(marked["total"], 1);
    let issue = &marked["issues"][0];
    assert_eq!((&issue["title"], &issue["high_value_account"]), (&json!("two"), &json!("ACME Ltd")));
    assert!(issue["high_value_at"].is_string(), "{issue}");
    assert!(project.issues("?query=one")["issues"][0]["high_value_at"].is_null());
    let activity = project.owner.get(&format!("{}/activity", project.issue_path(issue))).send().expect(200);
    assert_eq!(activity["activity"][0]["kind"], "high_value");
    assert_eq!(activity["activity"][0]["data"], json!({"account": "ACME Ltd"}));
    let told = told(&project, "New issue: two");
    assert!(told["summary"].as_str().unwrap().ends_with("it affects ACME Ltd"), "{told}");
    project.digest(&event("one", "7", "Seven"));
    let told = self::told(&project, "High-value account: one");
    assert!(told["summary"].as_str().unwrap().ends_with("affects Seven"), "{told}");
    assert_eq!(titles(&project, "two").len(), 1, "one notification of what happened at once");
}

/// The notification with that title.
fn told(project: &Project, title: &str) -> Value {
    crate::support::eventually(title, || {
        let list = project.owner.get("/api/v1/notifications").send().expect(200)["notifications"].clone();
        list.as_array().unwrap().iter().find(|one| one["title"] == title).cloned()
    })
}

/// The titles of the notifications of an issue.
fn titles(project: &Project, issue: &str) -> Vec<Value> {
    let list = project.owner.get("/api/v1/notifications").send().expect(200)["notifications"].clone();
    let titles = list.as_array().unwrap().iter().map(|one| one["title"].clone());
    titles.filter(|title| title.as_str().unwrap().ends_with(&format!(": {issue}"))).collect()
}

#[test]
fn settings_that_do_not_fit_are_refused_by_name() {
    let project = Project::new();
    for (high_value, named) in [
        (json!({"ids": vec!["a"; 201]}), "settings.high_value.ids: expected at most 200"),
        (json!({"ids": [7]}), "settings.high_value.ids"),
        (json!({"patterns": ["*"]}), "settings.high_value.patterns[0]"),
        (json!({"tags": [{"key": "plan"}]}), "settings.high_value.tags"),
        (json!({"names": []}), "settings.high_value"),
    ] {
        let body = json!({"settings": {"high_value": high_value}});
        project.owner.patch(&project.path("")).json(&body).send().refuse(422, named);
    }
}
