//! Counts of an issue's events and users.

use crate::support::{Project, json};
use jiff::{SignedDuration, Timestamp};

pub(super) fn hours_ago(hours: i64) -> String {
    Timestamp::now().saturating_sub(SignedDuration::from_hours(hours)).unwrap().to_string()
}

#[test]
fn events_users_and_accounts_are_counted_apart() {
    let project = Project::new();
    for (user, account) in [("u1", "a1"), ("u2", "a1"), ("u1", "a1"), ("u3", "a2"), ("u3", "a2")] {
        project
            .accept(&json!({"message": "x", "user": {"id": user}, "account": {"id": account, "name": "n"}}));
    }
    project.digest(&json!({"message": "x"}));
    let issue = project.issue();
    assert_eq!(
        (&issue["event_count"], &issue["user_count"], &issue["account_count"]),
        (&json!(6), &json!(3), &json!(2))
    );
}

#[test]
fn a_user_is_identified_by_any_of_the_fields() {
    let project = Project::new();
    for user in [
        json!({"id": "1", "email": "a@example.com"}),
        json!({"id": "1"}),
        json!({"id": 1}),
        json!({"email": "b@example.com"}),
        json!({"username": "carol"}),
        json!({}),
    ] {
        project.accept(&json!({"message": "x", "user": user}));
    }
    project.digest(&json!({"message": "x"}));
    assert_eq!(project.issue()["user_count"], 3);
}

#[test]
fn the_trend_counts_the_last_24_hours_by_event_time() {
    let project = Project::new();
    // By one clock.
    let now = Timestamp::now();
    let ago = |hours| now.saturating_sub(SignedDuration::from_hours(hours)).unwrap().to_string();
    for hours in [0, 0, 0, 1, 5, 5, 23, 30, 24 * 20] {
        project.accept(&json!({"message": "x", "timestamp": ago(hours)}));
    }
    project.digest(&json!({"message": "x", "timestamp": ago(0)}));
    let issue = project.issue();
    let trend: Vec<i64> =
        issue["trend"].as_array().unwrap().iter().map(|count| count.as_i64().unwrap()).collect();
    assert_eq!(trend.len(), 24);
    // An hour may have begun since.
    let shift = usize::from(trend[23] != 4);
    let mut expected = vec![0; 24];
    for (hours, count) in [(0, 4), (1, 1), (5, 2), (23, 1)] {
        if let Some(at) = 23_usize.checked_sub(hours + shift) {
            expected[at] = count;
        }
    }
    assert_eq!(trend, expected);
    assert_eq!(issue["event_count"], 10);
}

#[test]
fn first_and_last_are_by_event_time_not_by_arrival() {
    let project = Project::new();
    for (hours, release) in [(5, "2.0.0"), (1, "3.0.0"), (9, "1.0.0"), (3, "2.5.0")] {
        project.accept(&json!({"message": "x", "release": release, "timestamp": hours_ago(hours)}));
    }
    project.digest(&json!({"message": "x", "timestamp": hours_ago(2)}));
    let issue = project.issue();
    assert_eq!((&issue["first_release"], &issue["last_release"]), (&json!("1.0.0"), &json!("3.0.0")));
    let millis = |field: &str| issue[field].as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond();
    let hour = 3_600_000;
    let span = (millis("last_seen") - millis("first_seen")) as f64 / hour as f64;
    assert!((7.9..8.1).contains(&span), "{issue}");
}

#[test]
fn environments_are_listed_and_the_newest_event_sets_the_level() {
    let project = Project::new();
    for environment in ["production", "staging", "production"] {
        project.accept(&json!({"message": "x", "environment": environment, "level": "warning"}));
    }
    project.digest(&json!({"message": "x", "level": "fatal"}));
    let issue = project.issue();
    assert_eq!(
        (&issue["environments"], &issue["level"]),
        (&json!(["production", "staging"]), &json!("fatal"))
    );
    assert_eq!(issue["substatus"], "new");
}
