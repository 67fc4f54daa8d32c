//! `GET /api/v1/projects/{project_id}/issues?environment=…&period=…`, and the project's environments.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

/// Digests events from so many hours ago.
fn project_with(events: &[(&str, &str, i64)]) -> Project {
    let project = Project::new();
    for (message, environment, hours) in events {
        let time = Timestamp::now().saturating_sub(SignedDuration::from_hours(*hours)).unwrap().to_string();
        project.accept(&json!({"message": message, "environment": environment, "timestamp": time}));
    }
    // What is later is digested later: the probe closes the row, and goes with its environment.
    let probe = project.digest(&json!({"message": "probe", "environment": "probe"}));
    project.owner.delete(&project.path(&format!("/issues/{}", probe["issue_id"]))).send().expect(204);
    project
}

fn within(list: &Value) -> Vec<(&str, i64)> {
    let issues = list["issues"].as_array().unwrap().iter();
    issues
        .map(|issue| (issue["title"].as_str().unwrap(), issue["within"]["event_count"].as_i64().unwrap()))
        .collect()
}

#[test]
fn a_list_is_limited_to_an_environment_and_a_period() {
    let project = project_with(&[
        ("one", "production", 0),
        ("one", "staging", 0),
        ("one", "staging", 0),
        ("two", "production", 50),
        ("two", "production", 51),
        ("three", "staging", 400),
        ("one", "away", 700),
        ("four", "away", 600),
    ]);
    for (query, expected) in [
        ("?environment=production&sort=events", vec![("two", 2), ("one", 1)]),
        ("?period=24h&sort=events", vec![("one", 3)]),
        ("?period=7d&sort=events", vec![("one", 3), ("two", 2)]),
        ("?period=30d&environment=staging&sort=events", vec![("one", 2), ("three", 1)]),
        ("?period=24h&environment=staging&query=two", vec![]),
        ("?period=2w&environment=&query=one", vec![("one", 3)]),
    ] {
        let list = project.issues(query);
        assert_eq!(within(&list), expected, "{query}");
        assert_eq!(list["total"], expected.len(), "{query}");
    }
    let list = project.issues("?period=7d&environment=production&sort=events");
    let two = &list["issues"][0];
    assert_eq!((&two["title"], &two["event_count"]), (&json!("two"), &json!(2)));
    let trend: Vec<i64> =
        two["within"]["trend"].as_array().unwrap().iter().map(|count| count.as_i64().unwrap()).collect();
    assert_eq!((trend.len(), trend.iter().sum::<i64>(), &two["within"]["bar_hours"]), (28, 2, &json!(6)));
    let seen = &two["within"];
    assert_eq!((&seen["first_seen"], &seen["last_seen"]), (&two["first_seen"], &two["last_seen"]));
    // Of what was seen elsewhere since, only what was seen there counts.
    let later = project.issues("?environment=away&sort=last_seen");
    assert_eq!(within(&later), [("four", 1), ("one", 1)]);
    assert_ne!(later["issues"][1]["within"]["last_seen"], later["issues"][1]["last_seen"]);
    // Without limits, nothing is said about them.
    assert_eq!(project.issues("")["issues"][0]["within"], Value::Null);
}

#[test]
fn a_period_is_a_number_of_hours_days_or_weeks() {
    let project = Project::new();
    for period in ["24", "0h", "31d", "x", "1m", "%20", "7D"] {
        let answer = project.owner.get(&project.path(&format!("/issues?period={period}"))).send();
        answer.refuse(422, "period: expected 1h to 720h");
    }
    assert_eq!(project.issues("?period=720h")["total"], 0);
}

#[test]
fn a_project_lists_its_environments_and_no_others() {
    let project = project_with(&[("one", "staging", 2), ("two", "production", 5), ("two", "qa", 9)]);
    project_with(&[("one", "elsewhere", 0)]);
    let answer = project.owner.get(&project.path("/environments")).send().expect(200);
    let names: Vec<&str> = answer["environments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["staging", "production", "qa"]);
    assert!(answer["environments"][0]["last_seen"].as_str().unwrap().parse::<Timestamp>().is_ok());
}
