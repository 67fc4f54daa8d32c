//! `POST …/set-aside/{id}/retry`.

use super::{failing, ids, listed, mended, path_of, restarted, set_aside};
use crate::openapi::document::document;
use crate::openapi::schemas::{answer, assert_fits};
use crate::support::{Project, Value, World, json};
use std::sync::Arc;

#[test]
fn an_event_that_fails_again_stays_in_the_list_with_the_reason() {
    let project = failing();
    let list = set_aside(&project, &["a"]);
    let first = &list["events"][0];
    let retried = project.owner.post(&format!("{}/retry", path_of(&project, first))).send().expect(200);
    assert_eq!((&retried["outcome"], &retried["event_id"]), (&json!("set_aside"), &json!("a")));
    assert_eq!(retried["reason"], first["reason"]);
    let again = listed(&project, 1);
    assert_eq!(ids(&again), ["a"]);
    assert!(again["events"][0]["id"].as_i64() > first["id"].as_i64(), "{again}");
    assert_eq!(again["events"][0]["received_at"], first["received_at"]);
    let gone = project.owner.get(&path_of(&project, first)).send();
    gone.refuse(404, "set aside");
}

#[test]
fn once_digesting_works_it_becomes_an_event_and_counts_once() {
    let project = failing();
    let list = set_aside(&project, &["a", "b"]);
    let project = mended(project);
    let (b, a) = (&list["events"][0], &list["events"][1]);
    let retry = |event: &Value| project.owner.post(&format!("{}/retry", path_of(&project, event))).send();
    let retried = retry(a).expect(200);
    assert_eq!(retried["outcome"], "digested", "{retried}");
    assert_eq!(ids(&listed(&project, 1)), ["b"]);
    let event = project.event("a");
    assert_eq!((&event["message"], &event["issue_id"]), (&json!("of a"), &retried["issue_id"]));
    assert_eq!(event["received_at"], a["received_at"]);
    retry(a).refuse(404, "set aside");
    // The client had repeated it meanwhile.
    project.digest(&json!({"event_id": "b", "message": "of b"}));
    assert_eq!(retry(b).expect(200)["outcome"], "digested");
    listed(&project, 0);
    let issues = project.issues("");
    let counts: i64 =
        issues["issues"].as_array().unwrap().iter().map(|i| i["event_count"].as_i64().unwrap()).sum();
    assert_eq!(counts, 2, "{issues}");
    assert_eq!(project.owner.get(&project.path("")).send().expect(200)["set_aside"], 0);
    let document = document(&project.owner);
    let route = "/api/v1/projects/{project_id}/set-aside/{set_aside_id}/retry";
    assert_fits(&document, answer(&document, "post", route, "200"), &retried, route);
}

#[test]
fn many_simultaneous_retries_count_it_once() {
    let project = failing();
    let list = set_aside(&project, &["a"]);
    let project = mended(project);
    let path = format!("{}/retry", path_of(&project, &list["events"][0]));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> =
            (0..8).map(|_| scope.spawn(|| project.owner.post(&path).send().status())).collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.contains(&200) && statuses.iter().all(|status| [200, 404].contains(status)));
    listed(&project, 0);
    project.digest(&json!({"event_id": "later", "message": "of later"}));
    let issues = project.issues("");
    for issue in issues["issues"].as_array().unwrap() {
        assert_eq!(issue["event_count"], 1, "{issues}");
    }
}

#[test]
fn it_is_in_the_audit_log() {
    let project = failing();
    let list = set_aside(&project, &["a"]);
    project.owner.post(&format!("{}/retry", path_of(&project, &list["events"][0]))).send().expect(200);
    let path = format!("{}/audit?action=set_aside.", project.world.organization_path());
    let log = project.owner.get(&path).send().expect(200);
    let entry = &log["entries"][0];
    assert_eq!((&entry["action"], &entry["target"]), (&json!("set_aside.retried"), &json!("a")));
    assert_eq!(entry["detail"]["project_id"], project.id);
}

/// The operator goes back to the previous version while records of the newer one wait.
#[test]
fn what_a_newer_version_accepted_is_kept_until_that_version_runs_again() {
    let newer = |more: &str| World::start_with(&[("MAYDAY_SABOTAGE", &format!("newer_records{more}"))]);
    let project = Project::in_world(Arc::new(newer(",set_aside_all")), "Shop");
    let list = set_aside(&project, &["a"]);
    let retry = |project: &Project, event: &Value| {
        project.owner.post(&format!("{}/retry", path_of(project, event))).send().expect(200)
    };
    let project = mended(project);
    let refused = retry(&project, &list["events"][0]);
    assert_eq!(refused["outcome"], "set_aside", "{refused}");
    assert!(refused["reason"].as_str().unwrap().contains("newer version of Mayday"), "{refused}");
    let list = listed(&project, 1);
    let shown = project.owner.get(&path_of(&project, &list["events"][0])).send().expect(200);
    assert!(shown["payload"].is_null(), "{shown}");
    assert!(shown["unreadable"].as_str().unwrap().contains("kind 1, version 2"), "{shown}");
    project.digest(&json!({"event_id": "b", "message": "of b"}));
    let project = restarted(project, &[("MAYDAY_SABOTAGE", "newer_records")]);
    let retried = retry(&project, &list["events"][0]);
    assert_eq!((&retried["outcome"], &retried["event_id"]), (&json!("digested"), &json!("a")), "{retried}");
    assert_eq!(project.event("a")["message"], "of a");
    listed(&project, 0);
}
