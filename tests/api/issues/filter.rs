//! The filters of the list, each as a parameter and as `key:value` in `query`.

use crate::support::project::encoded;
use crate::support::{EMAIL, Project, Value, json};

/// Three issues that differ in everything.
fn project() -> Project {
    let project = Project::new();
    project.accept(&json!({"message": "alpha", "level": "fatal", "environment": "production", "release": "1.0",
        "user": {"id": "u1", "email": "eve@example.com", "username": "eve"}, "account": {"id": "a1", "name": "Initech"},
        "tags": {"locale": "de", "Odd Key": "x y"}}));
    project
        .accept(&json!({"message": "beta", "level": "warning", "environment": "staging", "release": "2.0",
        "user": {"id": "u2"}, "tags": {"locale": "fr"}}));
    project.accept(&json!({"message": "alpha", "level": "error", "release": "1.1", "environment": "canary"}));
    project.digest(
        &json!({"exception": {"type": "GammaError", "message": "gamma"}, "environment": "production"}),
    );
    let issues = project.issues("");
    let id = |word: &str| {
        let issues = issues["issues"].as_array().unwrap();
        issues.iter().find(|issue| issue["message"] == word).unwrap().clone()
    };
    project.change(&id("beta"), &json!({"status": "resolved"}));
    project.change(
        &id("gamma"),
        &json!({"status": "ignored", "assignee": project.world.owner_id, "priority": "low"}),
    );
    project
}

#[track_caller]
fn found(project: &Project, parameter: &str, value: &str) -> Vec<String> {
    let list = project.issues(&format!("?{}={}&sort=first_seen", encoded(parameter), encoded(value)));
    let mut words: Vec<String> = list["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["message"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(list["total"], words.len());
    words.sort_unstable();
    words
}

#[test]
fn each_filter_finds_its_issues() {
    let project = project();
    let owner = project.world.owner_id.to_string();
    for (key, value, expected) in [
        ("status", "all", vec!["alpha", "beta", "gamma"]),
        ("status", "unresolved", vec!["alpha"]),
        ("status", "resolved", vec!["beta"]),
        ("status", "resolved,ignored", vec!["beta", "gamma"]),
        ("level", "warning", vec!["beta"]),
        ("level", "error", vec!["alpha", "gamma"]),
        ("level", "error,warning", vec!["alpha", "beta", "gamma"]),
        ("environment", "production", vec!["alpha", "gamma"]),
        ("environment", "canary", vec!["alpha"]),
        ("environment", "Production", vec![]),
        ("release", "1.0", vec!["alpha"]),
        ("release", "1.1", vec!["alpha"]),
        ("release", "3.0", vec![]),
        ("assignee", &owner, vec!["gamma"]),
        ("assignee", "me", vec!["gamma"]),
        ("assignee", EMAIL, vec!["gamma"]),
        ("assignee", "none", vec!["alpha", "beta"]),
        ("assignee", "999999", vec![]),
        ("assignee", "nobody@example.com", vec![]),
        ("user", "u1", vec!["alpha"]),
        ("user", "eve@example.com", vec!["alpha"]),
        ("user", "eve", vec!["alpha"]),
        ("account", "a1", vec!["alpha"]),
        ("account", "Initech", vec!["alpha"]),
        ("tag.locale", "de", vec!["alpha"]),
        ("tag.locale", "it", vec![]),
        ("tag.none", "de", vec![]),
    ] {
        assert_eq!(found(&project, key, value), expected, "?{key}={value}");
        let quoted = format!("{key}:\"{value}\"");
        assert_eq!(found(&project, "query", &quoted), expected, "query={quoted}");
        // Turned round, it finds exactly the others.
        let others: Vec<&str> =
            ["alpha", "beta", "gamma"].into_iter().filter(|word| !expected.contains(word)).collect();
        if value != "all" {
            assert_eq!(found(&project, "query", &format!("-{quoted}")), others, "query=-{quoted}");
        }
    }
    assert_eq!(found(&project, "tag.Odd Key", "x y"), ["alpha"]);
}

#[test]
fn filters_narrow_together() {
    let project = project();
    let total = |query: &str| project.issues(query)["total"].clone();
    assert_eq!(total("?environment=production&status=ignored"), 1);
    assert_eq!(total("?environment=production&level=warning"), 0);
    assert_eq!(total("?environment=production&query=gamma"), 1);
    assert_eq!(total("?tag.locale=de&user=u1&account=a1&release=1.0"), 1);
    assert_eq!(total("?status=&level=&environment=&query="), 3);
}

#[test]
fn times_limit_when_issues_were_seen() {
    let project = project();
    let total = |query: &str| project.issues(query)["total"].clone();
    assert_eq!(total("?start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z"), 3);
    assert_eq!(total("?start_time=2100-01-01T00:00:00Z"), 0);
    assert_eq!(total("?end_time=2020-01-01T00:00:00%2B02:00"), 0);
    let get = |query: &str| project.owner.get(&project.path(&format!("/issues{query}"))).send();
    get("?start_time=yesterday").refuse(422, "start_time: expected an ISO 8601 time");
    get("?end_time=1").refuse(422, "end_time: expected an ISO 8601 time");
    get("?start_time=2026-02-02T00:00:00Z&end_time=2026-02-01T00:00:00Z").refuse(422, "end_time");
}

#[test]
fn values_that_a_filter_cannot_have_are_refused() {
    let project = project();
    let get = |query: &str| project.owner.get(&project.path(&format!("/issues{query}"))).send();
    get("?status=closed").refuse(422, "status");
    get("?status=resolved,closed").refuse(422, "status");
    get("?level=loud").refuse(422, "level");
    get("?assignee=bob").refuse(422, "assignee");
    get("?query=is:closed").refuse(422, "is");
    get("?query=priority:urgent").refuse(422, "priority");
    get("?status=resolved&status=ignored").refuse(422, "status");
    get(&format!("?query={}", "x".repeat(1001))).refuse(422, "query");
    assert_eq!(get("?unknown=1").expect(200)["total"], json!(3));
    let _: Value = get("?query=%00%ff").expect(200);
}
