//! Two releases side by side.

use crate::support::{Client, Project, Value, json};
use jiff::{SignedDuration, Timestamp};

fn ago(minutes: i64) -> String {
    format!("{:.3}", Timestamp::now() - SignedDuration::from_mins(minutes))
}

fn throw(project: &Project, message: &str, release: &str, minutes: i64, user: Option<&str>) {
    let user = user.map(|id| json!({"id": id}));
    project.digest(&json!({"message": message, "release": release, "timestamp": ago(minutes), "user": user}));
}

fn compare(client: &Client, project: &Project, version: &str, query: &str) -> Value {
    client.get(&project.path(&format!("/releases/{version}/compare{query}"))).send().expect(200)
}

fn titles(list: &Value) -> Vec<(&str, i64, i64)> {
    let issues = list["issues"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_i64().unwrap();
    issues.map(|i| (i["title"].as_str().unwrap(), number(&i["events"]), number(&i["base_events"]))).collect()
}

#[test]
fn a_release_is_compared_with_the_one_before() {
    let project = Project::new();
    for version in ["1.0.0", "3.0.0", "2.0.0"] {
        project.make_release(version);
    }
    // The first release came out ten hours ago, the second one two hours ago.
    throw(&project, "goes away", "1.0.0", 600, Some("a"));
    throw(&project, "stays", "1.0.0", 200, Some("a"));
    throw(&project, "stays", "1.0.0", 199, Some("b"));
    throw(&project, "comes back", "1.0.0", 600, None);
    let issue = project.issues("?query=comes")["issues"][0].clone();
    project.change(&issue, &json!({"status": "resolved"}));
    throw(&project, "stays", "2.0.0", 120, Some("a"));
    throw(&project, "is new", "2.0.0", 100, Some("a"));
    throw(&project, "is new", "2.0.0", 90, Some("a"));
    throw(&project, "comes back", "2.0.0", 1, Some("a"));

    let found = compare(&project.owner, &project, "2.0.0", "");
    let (release, base) = (&found["release"], &found["base"]);
    assert_eq!((&release["version"], &base["version"]), (&json!("2.0.0"), &json!("1.0.0")));
    assert_eq!((&release["user_count"], &base["user_count"]), (&json!(1), &json!(2)));
    assert_eq!((&release["events_per_user"], &base["events_per_user"]), (&json!(4.0), &json!(2.0)));
    assert_eq!(release["compared_events"], 4);
    assert_eq!(release["from"], base["to"], "just before it");
    assert_eq!(base["compared_events"], 2, "and no more hours than it has been out: {base}");
    assert_eq!(titles(&found["new_issues"]), [("is new", 2, 0)]);
    assert_eq!(titles(&found["regressions"]), [("comes back", 1, 1)]);
    assert_eq!(titles(&found["gone"]), [("goes away", 0, 1)]);
    for list in ["new_issues", "regressions", "gone"] {
        assert_eq!(found[list]["total"], 1, "{list}");
    }
    // A CI key sees no words of events.
    let by_key = compare(&project.ci(), &project, "2.0.0", "?with=previous");
    let shown = &by_key["new_issues"]["issues"][0];
    assert_eq!((&shown["title"], &shown["culprit"]), (&Value::Null, &Value::Null));
    assert_eq!(shown["short_id"], found["new_issues"]["issues"][0]["short_id"]);
    let reader = project.world.bearer(&project.key_for(&["read"]));
    assert_eq!(compare(&reader, &project, "2.0.0", "")["new_issues"], found["new_issues"]);
}

#[test]
fn any_two_can_be_compared_and_one_alone_too() {
    let project = Project::new();
    for version in ["1.0.0", "2.0.0", "never-used"] {
        project.make_release(version);
    }
    throw(&project, "x", "1.0.0", 300, None);
    let first = compare(&project.ci(), &project, "1.0.0", "");
    assert_eq!(first["base"], Value::Null);
    assert_eq!(first["release"]["events_per_user"], Value::Null, "nobody is known");
    assert_eq!(first["gone"]["total"], 0);
    let unused = compare(&project.ci(), &project, "2.0.0", "");
    assert_eq!(unused["base"]["version"], "1.0.0");
    assert_eq!(
        (&unused["release"]["out_at"], &unused["release"]["events_per_hour"]),
        (&Value::Null, &json!(0.0))
    );
    // Older releases, and releases without events, if the request names them.
    let backwards = compare(&project.ci(), &project, "1.0.0", "?with=2.0.0");
    assert_eq!(backwards["base"]["version"], "2.0.0");
    assert_eq!(compare(&project.ci(), &project, "1.0.0", "?with=1.0.0")["gone"]["total"], 0);
    // Of a version that is a commit, the one created before; without events it is passed over.
    assert_eq!(compare(&project.ci(), &project, "never-used", "")["base"]["version"], "1.0.0");
    let get = |path: &str| project.ci().get(&project.path(path)).send();
    get("/releases/9/compare").refuse(404, "Release '9' not found");
    get("/releases/1.0.0/compare?with=9").refuse(404, "Release '9' not found");
}

#[test]
fn a_deploy_counts_as_the_time_of_a_release() {
    let project = Project::new();
    project.make_release("1.0.0");
    project.make_release("2.0.0");
    throw(&project, "x", "1.0.0", 600, None);
    throw(&project, "x", "2.0.0", 5, None);
    let deploy = json!({"environment": "production", "started_at": ago(190), "finished_at": ago(180)});
    project.ci().post(&project.path("/releases/2.0.0/deploys")).json(&deploy).send().expect(201);
    let found = compare(&project.ci(), &project, "2.0.0", "");
    assert_eq!(found["release"]["out_at"], deploy["started_at"]);
    let rate = found["release"]["events_per_hour"].as_f64().unwrap();
    assert!((0.2..0.4).contains(&rate), "one event in more than three hours: {rate}");
}

#[test]
fn users_and_hours_are_counted_by_release() {
    let project = Project::new();
    project.make_release("1.0.0");
    for (user, minutes) in [(Some("a"), 1), (Some("a"), 61), (Some("b"), 61), (None, 1)] {
        throw(&project, "x", "1.0.0", minutes, user);
    }
    // By e-mail, the same person in another issue.
    project.digest(&json!({"message": "y", "release": "1.0.0", "user": {"id": "a", "email": "a@x.example"}}));
    let release = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!((&release["event_count"], &release["user_count"]), (&json!(5), &json!(2)));
    let trend =
        |query: &str| project.ci().get(&project.path(&format!("/releases/1.0.0/trend{query}"))).send();
    let counts = trend("?hours=3").expect(200)["counts"].clone();
    let counts: Vec<i64> = counts.as_array().unwrap().iter().map(|count| count.as_i64().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().sum::<i64>()), (3, 5));
    assert_eq!(trend("").expect(200)["counts"].as_array().unwrap().len(), 168);
    trend("?hours=721").refuse(422, "hours");
}

/// Three releases: the second one was only in staging, and the others in both environments or in production.
fn in_two_environments() -> Project {
    let project = Project::new();
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        project.make_release(version);
    }
    let throw = |message: &str, release: &str, environment: &str, minutes: i64, user: &str| {
        project.digest(&json!({"message": message, "release": release, "environment": environment,
            "timestamp": ago(minutes), "user": {"id": user}}));
    };
    throw("goes away", "1.0.0", "production", 600, "a");
    throw("stays", "1.0.0", "production", 130, "a");
    throw("stays", "1.0.0", "production", 130, "b");
    throw("comes back", "1.0.0", "production", 600, "a");
    throw("only tried", "1.1.0", "staging", 500, "a");
    let issue = project.issues("?query=comes")["issues"][0].clone();
    project.change(&issue, &json!({"status": "resolved"}));
    throw("goes away", "2.0.0", "staging", 400, "a");
    throw("is tried", "2.0.0", "staging", 400, "a");
    throw("stays", "2.0.0", "production", 60, "a");
    throw("is new", "2.0.0", "staging", 50, "a");
    throw("is new", "2.0.0", "production", 50, "a");
    throw("comes back", "2.0.0", "production", 1, "a");
    project
}

#[test]
fn releases_are_compared_by_what_they_have_in_an_environment() {
    let project = in_two_environments();
    let found = compare(&project.owner, &project, "2.0.0", "?environment=production");
    let (release, base) = (&found["release"], &found["base"]);
    assert_eq!(base["version"], "1.0.0", "the other was never there");
    for (field, own, other) in
        [("event_count", 3, 4), ("issue_count", 3, 3), ("user_count", 1, 2), ("new_issue_count", 2, 3)]
    {
        assert_eq!((&release[field], &base[field]), (&json!(own), &json!(other)), "{field}");
    }
    assert_eq!(release["out_at"], release["first_event_at"], "since it came out there");
    assert_eq!((&release["compared_events"], &base["compared_events"]), (&json!(3), &json!(2)));
    assert_eq!(titles(&found["new_issues"]), [("is new", 1, 0)]);
    assert_eq!(titles(&found["regressions"]), [("comes back", 1, 1)]);
    assert_eq!(titles(&found["gone"]), [("goes away", 0, 1)]);
    for list in ["new_issues", "regressions", "gone"] {
        assert_eq!(found[list]["total"], 1, "{list}");
    }
}

#[test]
fn the_release_before_is_one_that_was_in_the_environment() {
    let project = in_two_environments();
    let staging = compare(&project.owner, &project, "2.0.0", "?environment=staging&with=previous");
    assert_eq!(staging["base"]["version"], "1.1.0");
    let mut new = titles(&staging["new_issues"]);
    new.sort_unstable();
    assert_eq!(new, [("is new", 1, 0), ("is tried", 1, 0)]);
    assert_eq!(titles(&staging["gone"]), [("only tried", 0, 1)]);
    // An empty name is no environment.
    let all = compare(&project.owner, &project, "2.0.0", "");
    assert_eq!(all["base"]["version"], "1.1.0");
    let same = compare(&project.owner, &project, "2.0.0", "?environment=");
    assert_eq!((&same["base"]["version"], &same["gone"]), (&json!("1.1.0"), &all["gone"]));
}

#[test]
fn in_an_environment_without_events_there_is_nothing_to_compare() {
    let project = Project::new();
    project.make_release("1.0.0");
    throw(&project, "x", "1.0.0", 300, None);
    throw(&project, "x", "2.0.0", 200, None);
    let alone = compare(&project.ci(), &project, "2.0.0", "?environment=qa");
    assert_eq!((&alone["base"], &alone["release"]["event_count"]), (&Value::Null, &json!(0)));
    let with = compare(&project.ci(), &project, "2.0.0", "?environment=qa&with=1.0.0");
    assert_eq!((&with["base"]["event_count"], &with["gone"]["total"]), (&json!(0), &json!(0)));
    assert_eq!((&with["release"]["out_at"], &with["release"]["compared_events"]), (&Value::Null, &json!(0)));
    // A deploy there counts, and one elsewhere does not.
    let out = |query: &str| compare(&project.ci(), &project, "1.0.0", query)["release"]["out_at"].clone();
    for (environment, minutes) in [("staging", 100), ("qa", 30)] {
        let deploy = json!({"environment": environment, "finished_at": ago(minutes)});
        project.ci().post(&project.path("/releases/1.0.0/deploys")).json(&deploy).send().expect(201);
        assert_eq!(out(&format!("?environment={environment}")), deploy["finished_at"], "{environment}");
    }
    assert_eq!(out("?environment=preview"), Value::Null);
    project
        .ci()
        .get(&project.path("/releases/9/compare?environment=qa"))
        .send()
        .refuse(404, "Release '9' not found");
}
