//! The release that an issue is blamed on.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

fn ago(minutes: i64) -> String {
    format!("{:.3}", Timestamp::now() - SignedDuration::from_mins(minutes))
}

fn throw(project: &Project, message: &str, release: Option<&str>, minutes: i64) -> Value {
    let event = project.digest(&json!({"message": message, "release": release, "timestamp": ago(minutes)}));
    let path = project.path(&format!("/issues/{}", event["issue_id"]));
    project.owner.get(&path).send().expect(200)
}

fn deploy(project: &Project, version: &str, environment: &str, minutes: i64) {
    let body = json!({"environment": environment, "finished_at": ago(minutes)});
    let path = project.path(&format!("/releases/{version}/deploys"));
    project.ci().post(&path).json(&body).send().expect(201);
}

const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

#[test]
fn a_new_issue_is_blamed_on_the_latest_release_before_it() {
    let project = Project::new();
    assert_eq!(throw(&project, "of the first", Some("1.0.0"), 20 * DAY)["suspect_release"], Value::Null);
    let first = throw(&project, "a", Some("2.0.0"), 5 * HOUR);
    let suspect = &first["suspect_release"];
    assert_eq!((&suspect["version"], &suspect["rise"]), (&json!("2.0.0"), &json!("first_seen")));
    assert_eq!((&suspect["out_at"], &suspect["rose_at"]), (&first["first_seen"], &first["first_seen"]));
    assert_eq!(suspect["environment"], Value::Null);
    // An old release is not blamed.
    assert_eq!(throw(&project, "b", Some("1.0.0"), 4)["suspect_release"], Value::Null);
    assert_eq!(throw(&project, "c", None, 4)["suspect_release"], Value::Null);
    // A change of the issue answers with it, too.
    let changed = project.change(&first, &json!({"priority": "low"}));
    assert_eq!(changed["suspect_release"], first["suspect_release"]);
}

#[test]
fn a_deploy_to_the_issues_environment_counts_as_the_time_of_a_release() {
    let project = Project::new();
    for version in ["1.0.0", "2.0.0"] {
        project.make_release(version);
    }
    throw(&project, "x", Some("1.0.0"), 20 * DAY);
    throw(&project, "x", Some("2.0.0"), 15 * DAY);
    deploy(&project, "2.0.0", "staging", 30);
    assert_eq!(
        throw(&project, "a", Some("2.0.0"), 5)["suspect_release"],
        Value::Null,
        "nothing new in production"
    );
    deploy(&project, "2.0.0", "production", 20);
    let suspect = throw(&project, "a", Some("2.0.0"), 4)["suspect_release"].clone();
    assert_eq!((&suspect["version"], &suspect["environment"]), (&json!("2.0.0"), &json!("production")));
}

#[test]
fn an_issue_that_came_back_is_blamed_on_the_release_of_its_regression() {
    let project = Project::new();
    let issue = throw(&project, "a", Some("1.0.0"), 20 * DAY);
    throw(&project, "b", Some("2.0.0"), 90);
    project.change(&issue, &json!({"status": "resolved"}));
    let issue = throw(&project, "a", Some("2.0.0"), 0);
    let suspect = &issue["suspect_release"];
    assert_eq!((&suspect["version"], &suspect["rise"]), (&json!("2.0.0"), &json!("regressed")));
    assert_ne!(suspect["out_at"], suspect["rose_at"]);
    // If that release is old, none is blamed.
    project.change(&issue, &json!({"status": "resolved"}));
    assert_eq!(throw(&project, "a", Some("1.0.0"), 0)["suspect_release"], Value::Null);
}
