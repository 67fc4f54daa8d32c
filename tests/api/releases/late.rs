//! Source maps that are uploaded after the errors.

use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::{Project, Value, eventually, json, maps};

/// The release, once its events have been resolved again.
fn finished(project: &Project, version: &str) -> Value {
    eventually("the late maps", || {
        let release = project.owner.get(&project.path(&format!("/releases/{version}"))).send().expect(200);
        (!release["late"].is_null() && !release["late"]["finished_at"].is_null())
            .then(|| release["late"].clone())
    })
}

fn activity(project: &Project, issue: &Value) -> Vec<Value> {
    let path = format!("{}/activity", project.issue_path(issue));
    project.owner.get(&path).send().expect(200)["activity"].as_array().unwrap().clone()
}

#[test]
fn an_issue_gets_its_original_names_and_later_events_find_it() {
    let project = Project::new();
    project.digest(&Project::throw(Some("1.0.0")));
    let before = project.issue();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let late = finished(&project, "1.0.0");
    assert_eq!(
        (&late["issue_count"], &late["issues_done"], &late["issues_changed"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let after = project.issue();
    assert_eq!(after["id"], before["id"]);
    assert_ne!(after["culprit"], before["culprit"]);
    assert!(after["culprit"].as_str().unwrap().contains("src/cart.ts"), "{after}");
    // By the new names it can be found.
    assert_eq!(project.issues("?query=cart.ts")["total"], 1);
    // Resolved as it arrives, the same error is the same issue; so is the next build's.
    project.digest(&Project::throw(Some("1.0.0")));
    project.upload("2.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.digest(&Project::throw(Some("2.0.0")));
    assert_eq!(project.issue()["event_count"], 3);
}

#[test]
fn two_issues_that_turn_out_to_be_the_same_name_each_other() {
    let project = Project::new();
    project.upload("2.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let resolved = project.digest(&Project::throw(Some("2.0.0")));
    let open = project.digest(&Project::throw(Some("1.0.0")));
    assert_ne!(resolved["issue_id"], open["issue_id"]);
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    finished(&project, "1.0.0");
    let issues = project.issues("");
    assert_eq!(issues["total"], 2, "joining them is for people");
    for issue in issues["issues"].as_array().unwrap() {
        let other = if issue["id"] == resolved["issue_id"] { &open } else { &resolved };
        let said: Vec<Value> =
            activity(&project, issue).into_iter().filter(|entry| entry["kind"] == "same_as").collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(said[0]["data"]["issue_id"], other["issue_id"]);
    }
    // They are told apart only once.
    project.upload("1.0.0", "~/another.js", &maps::cart()).expect(201);
    finished(&project, "1.0.0");
    let issue = &issues["issues"][0];
    assert_eq!(activity(&project, issue).iter().filter(|entry| entry["kind"] == "same_as").count(), 1);
}

#[test]
fn a_release_without_events_has_nothing_to_do() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let release = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!(release["late"], Value::Null);
}

const ID: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";

/// The source map of an injected build.
fn injected() -> String {
    maps::cart().replacen('{', &format!("{{\"debugId\":\"{ID}\","), 1)
}

/// An event as a client sends it.
fn carrying(release: &str, id: &str) -> Value {
    let mut event = Project::throw(Some(release));
    event["debug_meta"] = json!({"images": [{"type": "sourcemap", "code_file": SCRIPT, "debug_id": id}]});
    event
}

#[test]
fn an_issue_that_awaits_a_debug_id_gets_its_original_names_from_any_release() {
    let project = Project::new();
    let other = project.other();
    project.digest(&carrying("deploy-77", ID));
    other.digest(&carrying("deploy-77", ID));
    let (before, of_other) = (project.issue(), other.issue());
    project.upload("build-c", "~/elsewhere.js", &injected()).expect(201);
    let late = finished(&project, "build-c");
    assert_eq!(
        (&late["issue_count"], &late["issues_done"], &late["issues_changed"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let after = project.issue();
    assert_eq!(after["id"], before["id"]);
    assert!(after["culprit"].as_str().unwrap().contains("src/cart.ts"), "{after}");
    assert_eq!(project.issues("?query=cart.ts")["total"], 1);
    project.digest(&carrying("deploy-78", ID));
    assert_eq!(project.issue()["event_count"], 2, "the same error is the same issue");
    assert_eq!(
        other.issue()["culprit"],
        of_other["culprit"],
        "another project's source maps are not its own"
    );
    // Nothing awaits it any more.
    project.upload("build-d", "~/elsewhere.js", &injected()).expect(201);
    assert_eq!(project.owner.get(&project.path("/releases/build-d")).send().expect(200)["late"], Value::Null);
}

#[test]
fn events_of_the_release_and_events_with_its_debug_id_are_both_resolved_again() {
    let project = Project::new();
    project.digest(&carrying("deploy-77", ID));
    let mut message = Project::throw(Some("build-c"));
    message["exception"]["type"] = json!("RangeError");
    project.digest(&message);
    // Of another build: its source map is not there.
    let mut unrelated = carrying("deploy-77", &ID.replace('0', "1"));
    unrelated["exception"]["type"] = json!("SyntaxError");
    project.digest(&unrelated);
    project.upload("build-c", SCRIPT_URL, &injected()).expect(201);
    let late = finished(&project, "build-c");
    assert_eq!(
        (&late["issue_count"], &late["issues_done"], &late["issues_changed"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert_eq!(project.issues("?query=cart.ts")["total"], 2);
}
