//! Source maps that are uploaded after the errors, and a server that is killed before it has applied them.

use crate::kill::again;
use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Value, World, eventually, json, maps};

/// Issues of the release: several transactions of them.
const ISSUES: u64 = 300;
const RELEASE: &str = "1";

fn progress(project: &Project) -> Value {
    let release = project.owner.get(&project.path(&format!("/releases/{RELEASE}"))).send().expect(200);
    release["late"].clone()
}

fn has_finished(late: &Value) -> bool {
    !late["finished_at"].is_null()
}

#[test]
fn late_maps_are_worked_through_although_the_server_is_killed() {
    let mut project = Project::alone();
    for number in 0..ISSUES {
        let mut event = Project::throw(Some(RELEASE));
        event["exception"]["type"] = json!(format!("Type{number}"));
        project.accept(&event);
    }
    eventually("the issues", || (project.issues("?limit=1")["total"] == ISSUES).then_some(()));
    project.upload(RELEASE, SCRIPT_URL, &maps::cart()).expect(201);
    // Uploads one by one are waited for: as a rule it has not begun.
    project = again(project, World::kill_and_restart);
    let begun = eventually("the beginning", || {
        let late = progress(&project);
        (late["issues_done"] != 0 || has_finished(&late)).then_some(late)
    });
    // As a rule in the middle of it.
    project = again(project, World::kill_and_restart);
    let late = eventually("the end", || Some(progress(&project)).filter(has_finished));
    println!("{} of {ISSUES} before the second kill", begun["issues_done"]);
    let all = json!(ISSUES);
    assert_eq!((&late["issue_count"], &late["issues_done"]), (&all, &all), "{late}");
    assert_eq!(project.issues("?query=cart.ts&limit=1")["total"], all, "each is found by its original names");
    assert_eq!(project.issues("?limit=1")["total"], all);
    // New events find their issue.
    let mut event = Project::throw(Some(RELEASE));
    event["exception"]["type"] = json!("Type7");
    let issue = project.digest(&event)["issue_id"].clone();
    assert_eq!(
        project.owner.get(&project.path(&format!("/issues/{issue}"))).send().expect(200)["event_count"],
        2
    );
}
