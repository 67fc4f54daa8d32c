//! How a release does.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

fn get(project: &Project, version: &str) -> Value {
    project.owner.get(&project.path(&format!("/releases/{version}"))).send().expect(200)
}

const FIGURES: [&str; 4] = ["event_count", "issue_count", "new_issue_count", "regression_count"];

fn figures(release: &Value) -> [i64; 4] {
    FIGURES.map(|name| release[name].as_i64().unwrap_or_else(|| panic!("{name} in {release}")))
}

fn minutes_ago(minutes: i64) -> String {
    let at = Timestamp::now().saturating_sub(SignedDuration::from_mins(minutes)).unwrap();
    format!("{at:.3}")
}

#[test]
fn a_release_without_events_has_no_health() {
    let project = Project::new();
    project.make_release("1.0.0");
    let release = get(&project, "1.0.0");
    assert_eq!(figures(&release), [0; 4]);
    assert_eq!((&release["first_event_at"], &release["last_event_at"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_release_counts_its_events_issues_and_regressions() {
    let project = Project::new();
    let other = project.other();
    for version in ["1.0.0", "2.0.0"] {
        project.make_release(version);
        other.make_release(version);
    }
    let throw = |message: &str, release: &str, minutes: i64| {
        let at = minutes_ago(minutes);
        project.digest(&json!({"message": message, "release": release, "timestamp": at}));
        at
    };
    let first = throw("one thing", "1.0.0", 50);
    throw("one thing", "1.0.0", 40);
    let last = throw("another", "1.0.0", 30);
    let issue = project.issues("?query=another")["issues"][0].clone();
    project.change(&issue, &json!({"status": "resolved"}));
    throw("another", "2.0.0", 20);
    throw("a third", "2.0.0", 10);
    other.digest(&json!({"message": "another", "release": "2.0.0"}));

    let (one, two) = (get(&project, "1.0.0"), get(&project, "2.0.0"));
    assert_eq!(figures(&one), [3, 2, 2, 0]);
    assert_eq!((&one["first_event_at"], &one["last_event_at"]), (&json!(first), &json!(last)));
    assert_eq!(figures(&two), [2, 2, 1, 1]);
    let list = project.owner.get(&project.path("/releases")).send().expect(200);
    // The list shows the same as each release alone.
    let listed = [&two, &one].map(|release| {
        let mut listed = release.clone();
        assert_eq!(listed.as_object_mut().unwrap().remove("late"), Some(json!(null)));
        listed
    });
    assert_eq!(list["releases"], json!(listed));
    assert_eq!(figures(&get(&other, "2.0.0")), [1, 1, 1, 0], "of its own project only");

    project.owner.delete(&project.issue_path(&issue)).send().expect(204);
    assert_eq!(figures(&get(&project, "1.0.0")), [2, 1, 1, 0]);
    assert_eq!(figures(&get(&project, "2.0.0")), [1, 1, 1, 0]);
}

#[test]
fn a_release_counts_its_events_in_an_environment_as_the_list_does() {
    let project = Project::new();
    project.make_release("1.0.0");
    for (message, environment, user, minutes) in [
        ("one", "production", "u1", 50),
        ("two", "production", "u2", 40),
        ("two", "staging", "u1", 30),
        ("two", "production", "u2", 20),
    ] {
        project.digest(&json!({"message": message, "release": "1.0.0", "environment": environment,
            "user": {"id": user}, "timestamp": minutes_ago(minutes)}));
    }
    let of = |query: &str| get(&project, &format!("1.0.0{query}"));
    for (environment, counts) in [("production", [3, 2, 2, 0]), ("staging", [1, 1, 2, 0])] {
        let mut shown = of(&format!("?environment={environment}"));
        assert_eq!(figures(&shown), counts, "{environment}");
        shown.as_object_mut().unwrap().remove("late");
        let listed = project.owner.get(&project.path(&format!("/releases?environment={environment}")));
        assert_eq!(listed.send().expect(200)["releases"], json!([shown]), "{environment}");
    }
    // What is unknown has nothing, and an empty name is none.
    let unknown = of("?environment=qa");
    assert_eq!((figures(&unknown), &unknown["user_count"]), ([0, 0, 2, 0], &json!(0)));
    assert_eq!((&unknown["first_event_at"], &unknown["last_event_at"]), (&Value::Null, &Value::Null));
    assert_eq!(of("?environment="), of(""));
    let absent = project.owner.get(&project.path("/releases/9?environment=production")).send();
    absent.refuse(404, "Release '9' not found");
}

#[test]
fn events_of_an_environment_are_counted_in_their_hours() {
    let project = Project::new();
    project.make_release("1.0.0");
    for (release, environment, minutes) in [
        ("1.0.0", "production", 1),
        ("1.0.0", "production", 61),
        ("1.0.0", "staging", 1),
        ("2.0.0", "production", 61),
    ] {
        project.digest(&json!({"message": "x", "release": release, "environment": environment,
            "timestamp": minutes_ago(minutes)}));
    }
    let sum = |path: &str| -> i64 {
        let counts = project.owner.get(&project.path(path)).send().expect(200)["counts"].clone();
        counts.as_array().unwrap().iter().map(|count| count.as_i64().unwrap()).sum()
    };
    for (query, of_release, of_all) in
        [("", 3, 4), ("&environment=", 3, 4), ("&environment=production", 2, 3), ("&environment=qa", 0, 0)]
    {
        assert_eq!(sum(&format!("/releases/1.0.0/trend?hours=3{query}")), of_release, "{query}");
        assert_eq!(sum(&format!("/trend?hours=3{query}")), of_all, "{query}");
    }
    for path in ["/releases/1.0.0/trend", "/trend"] {
        let refused = project.owner.get(&project.path(&format!("{path}?environment=production&hours=721")));
        refused.send().refuse(422, "hours: expected a whole number from 1 to 720");
    }
}

#[test]
fn events_that_came_before_the_release_was_made_count() {
    let project = Project::new();
    project.digest(&json!({"message": "early", "release": "3"}));
    project.make_release("3");
    assert_eq!(figures(&get(&project, "3")), [1, 1, 1, 0]);
    // And those of a release that was deleted and made again.
    project.owner.delete(&project.path("/releases/3")).send().expect(204);
    let made = project.make_release("3");
    assert_eq!(made.get("event_count"), None, "the answer to CI is what it was");
    assert_eq!(figures(&get(&project, "3"))[0], 1);
}

#[test]
fn releases_are_found_by_a_part_of_their_version() {
    let project = Project::new();
    for version in ["web-1.0", "Web-1.1", "api-1.0", "100%"] {
        project.make_release(version);
    }
    let list = |query: &str| {
        let list = project.owner.get(&project.path(&format!("/releases{query}"))).send().expect(200);
        let versions = list["releases"].as_array().unwrap().iter();
        (versions.map(|r| r["version"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), list)
    };
    assert_eq!(list("?query=web").0, ["Web-1.1", "web-1.0"]);
    assert_eq!(list("?query=1.0").0, ["api-1.0", "web-1.0"]);
    assert_eq!(list("?query=%25").0, ["100%"]);
    assert_eq!(list("?query=_").0, [""; 0]);
    let (page, all) = list("?query=1.0&limit=1");
    assert_eq!(
        (page, &all["total"], &all["has_more"]),
        (vec!["api-1.0".to_owned()], &json!(2), &json!(true))
    );
    assert_eq!(list("?query=1.0&limit=1&offset=1").1["has_more"], false);
}
