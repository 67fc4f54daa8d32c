//! Releases that only events name.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Value, json, maps};

fn list(project: &Project, query: &str) -> Value {
    project.owner.get(&project.path(&format!("/releases{query}"))).send().expect(200)
}

fn versions(list: &Value) -> Vec<&str> {
    list["releases"].as_array().unwrap().iter().map(|release| release["version"].as_str().unwrap()).collect()
}

fn send(project: &Project, message: &str, release: &str) {
    project.digest(&json!({"message": message, "release": release}));
}

#[test]
fn a_release_that_only_events_name_is_listed_and_shown() {
    let project = Project::new();
    project.make_release("1.0.0");
    send(&project, "one", "2.6.2-hotfix");
    send(&project, "two", "2.6.2-hotfix");
    let all = list(&project, "");
    assert_eq!((versions(&all), &all["total"]), (vec!["2.6.2-hotfix", "1.0.0"], &json!(2)));
    let seen = project.owner.get(&project.path("/releases/2.6.2-hotfix")).send().expect(200);
    for field in ["id", "url_prefix", "created_at", "finalized_at", "commit", "late"] {
        assert_eq!(seen[field], Value::Null, "{field}: {seen}");
    }
    assert_eq!(
        (&seen["event_count"], &seen["issue_count"], &seen["new_issue_count"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert!(seen["first_event_at"].is_string() && seen["source_map_count"] == 0, "{seen}");
    assert_eq!(versions(&list(&project, "?query=HOTFIX")), ["2.6.2-hotfix"]);
    assert_eq!(versions(&list(&project, "?limit=1&offset=1")), ["1.0.0"]);
    let get = |rest: &str| {
        project.owner.get(&project.path(&format!("/releases/2.6.2-hotfix{rest}"))).send().expect(200)
    };
    assert_eq!((&get("/sourcemaps")["total"], &get("/deploys")["total"]), (&json!(0), &json!(0)));
    assert_eq!(get("/trend?hours=24")["counts"].as_array().unwrap().last(), Some(&json!(2)));
    assert_eq!(get("/unresolved")["unresolved"], json!([]));
    // Another project's events do not count.
    let other = project.other();
    assert_eq!(list(&other, "")["total"], 0);
    other.owner.get(&other.path("/releases/2.6.2-hotfix")).send().refuse(404, "not found");
}

#[test]
fn a_release_is_unknown_to_pipelines_until_it_is_created() {
    let project = Project::new();
    project.digest(&Project::throw(Some("1.0.0")));
    let ci = project.ci();
    let named = "Release '1.0.0' not found: only events name it so far. Create it first, for instance with \
                 `mayday releases new 1.0.0`, or by uploading a source map.";
    ci.post("/api/v1/releases/1.0.0/finalize").send().refuse(404, named);
    project.owner.delete(&project.path("/releases/1.0.0")).send().refuse(404, "not found");
    let deploy = json!({"environment": "production"});
    ci.post(&project.path("/releases/1.0.0/deploys")).json(&deploy).send().refuse(404, named);
    let unresolved = project.owner.get(&project.path("/releases/1.0.0/unresolved")).send().expect(200);
    assert_eq!(unresolved["unresolved"][0]["rule"], "release", "{unresolved}");
    let made = ci.post("/api/v1/releases").json(&json!({"version": "1.0.0"})).send().expect(201);
    let shown = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!((&shown["id"], &shown["event_count"]), (&made["id"], &json!(1)));
    assert_eq!(list(&project, "")["total"], 1);
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    // Deleted, its events still name it.
    project.owner.delete(&project.path("/releases/1.0.0")).send().expect(204);
    let shown = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!((&shown["id"], &shown["event_count"]), (&Value::Null, &json!(1)));
}

#[test]
fn what_an_event_names_is_in_no_command_unless_it_is_one_word() {
    let project = Project::new();
    for (version, path) in [("1.0 $(id)", "1.0%20%24%28id%29"), ("-x", "-x")] {
        send(&project, version, version);
        let refused = project.ci().post(&format!("/api/v1/releases/{path}/finalize")).send();
        refused.refuse(
            404,
            "only events name it so far. Create it first, for instance with `mayday releases new VERSION`,",
        );
    }
}

#[test]
fn releases_that_only_events_name_are_compared() {
    let project = Project::new();
    send(&project, "one", "build-a");
    send(&project, "two", "build-b");
    let path = project.path("/releases/build-b/compare");
    let compared = project.owner.get(&path).send().expect(200);
    assert_eq!(
        (&compared["release"]["version"], &compared["base"]["version"]),
        (&json!("build-b"), &json!("build-a"))
    );
    assert_eq!((&compared["new_issues"]["total"], &compared["gone"]["total"]), (&json!(1), &json!(1)));
}

#[test]
fn a_release_that_was_created_is_compared_with_another_that_was() {
    let project = Project::new();
    for version in ["2.6.4", "2.7.0"] {
        project.make_release(version);
        send(&project, version, version);
    }
    send(&project, "forged", "2.6.999");
    let base = || {
        let compared = project.owner.get(&project.path("/releases/2.7.0/compare")).send().expect(200);
        compared["base"]["version"].clone()
    };
    assert_eq!(base(), "2.6.4");
    project.owner.delete(&project.path("/releases/2.6.4")).send().expect(204);
    assert_eq!(base(), "2.6.999", "there is no other that was created");
}
