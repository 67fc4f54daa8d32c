//! `SERVICE_RETENTION_…`, a project's retention, and the data that they remove.

use crate::support::{Project, Server, Value, World, eventually, json};
use crate::usage::log;
use std::fs;
use std::sync::Arc;

const DAY: i64 = 86_400_000;

/// A project whose server has a clock that can be moved.
struct Clock {
    file: tempfile::NamedTempFile,
}

impl Clock {
    fn new() -> Self {
        Self { file: tempfile::NamedTempFile::new().unwrap() }
    }

    fn forward(&self, days: i64) {
        fs::write(self.file.path(), (days * DAY).to_string()).unwrap();
    }

    fn variables<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&[("MAYDAY_CLOCK_OFFSET", self.file.path().to_str().unwrap())], more].concat()
    }

    fn project(&self, more: &[(&str, &str)]) -> Project {
        Project::in_world(Arc::new(World::new(Server::start_with(&self.variables(more)))), "Shop")
    }
}

/// The same projects after a restart with other variables.
fn restarted(projects: Vec<Project>, variables: &[(&str, &str)]) -> Vec<Project> {
    let mut world = None;
    let parts: Vec<(i64, String)> = projects
        .into_iter()
        .map(|project| {
            let Project { id, key, world: of, .. } = project;
            world = Some(of);
            (id, key)
        })
        .collect();
    let world = Arc::into_inner(world.unwrap()).expect("no other holder of this instance");
    let world = Arc::new(world.restart_with(variables));
    let project = |(id, key)| Project { owner: world.owner.clone(), world: world.clone(), id, key };
    parts.into_iter().map(project).collect()
}

fn retention(project: &Project, query: &str) -> Value {
    project.owner.get(&project.path(&format!("/retention{query}"))).send().expect(200)
}

fn held(project: &Project, kind: &str) -> i64 {
    let usage = project.owner.get(&project.path("/usage")).send().expect(200);
    let kinds = usage["kinds"].as_array().unwrap();
    kinds.iter().find(|part| part["kind"] == kind).unwrap()["count"].as_i64().unwrap()
}

fn found_logs(project: &Project) -> i64 {
    let path = project.path("/logs?start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z");
    let answer = project.owner.get(&path).send();
    // The index may be opened at this moment.
    if answer.status() == 200 { answer.expect(200)["total"].as_i64().unwrap() } else { -1 }
}

#[test]
fn old_data_is_removed_and_issues_stay_with_their_counts() {
    let clock = Clock::new();
    let project = clock.project(&[]);
    let other = project.other();
    for project in [&project, &other] {
        for _ in 0..3 {
            project.digest(&Project::throw(None));
        }
        log(project, 40);
    }
    assert_eq!(retention(&project, "/preview?events_days=1")["events"]["count"], 0);
    clock.forward(3);
    project.digest(&json!({"message": "new"}));
    // A dry run changes nothing.
    let dry = retention(&project, "/preview?events_days=1&logs_days=2");
    assert_eq!((&dry["events"]["count"], &dry["logs"]["count"]), (&json!(3), &json!(40)));
    assert!(dry["events"]["bytes"].as_i64().unwrap() > 100, "{dry}");
    assert_eq!(dry["policy"]["events"]["days"], 1);
    let dry = project.owner.get("/api/v1/instance/retention/preview?events_days=1").send().expect(200);
    assert_eq!(dry["projects"][1]["events"]["count"], 3, "{dry}");
    assert_eq!(retention(&project, "")["events"]["count"], 0, "nothing is removed by default");
    // The other project keeps its events longer.
    let keep = json!({"settings": {"retention": {"events": {"days": 0}}}});
    other.owner.patch(&other.path("")).json(&keep).send().expect(200);

    let limits = [("SERVICE_RETENTION_EVENTS_DAYS", "1"), ("SERVICE_RETENTION_LOGS_DAYS", "1")];
    let mut projects = restarted(vec![project, other], &clock.variables(&limits));
    let (other, project) = (projects.pop().unwrap(), projects.pop().unwrap());
    eventually("the removal of events", || (held(&project, "events") == 1).then_some(()));
    for project in [&project, &other] {
        eventually("the removal of entries", || (held(project, "logs") == 0).then_some(()));
        eventually("an index without them", || (found_logs(project) == 0).then_some(()));
    }
    assert_eq!(held(&other, "events"), 3);
    // The issue is still there, with its counts of all time.
    let issues = project.issues("?sort=first_seen");
    assert_eq!(issues["total"], 2);
    let emptied =
        issues["issues"].as_array().unwrap().iter().find(|issue| issue["event_count"] == 3).unwrap();
    let path = project.issue_path(emptied);
    assert_eq!(project.owner.get(&format!("{path}/events")).send().expect(200)["events"], json!([]));
    project.owner.get(&format!("{path}/event")).send().refuse(404, "retention");
    // A new event is shown as ever.
    let event = project.digest(&Project::throw(None));
    assert_eq!(event["issue_id"], emptied["id"]);
    assert_eq!(project.owner.get(&path).send().expect(200)["event_count"], 4);
    log(&project, 2);
    eventually("the new entries", || (found_logs(&project) == 2).then_some(()));
}

#[test]
fn the_newest_stay_up_to_a_number() {
    let clock = Clock::new();
    let project = clock.project(&[]);
    let ids: Vec<String> = (0..6)
        .map(|_| project.digest(&Project::throw(None))["event_id"].as_str().unwrap().to_owned())
        .collect();
    log(&project, 60);
    log(&project, 50);
    let keep = json!({"settings": {"retention": {"events": {"count": 2}, "logs": {"count": 50}}}});
    let changed = project.owner.patch(&project.path("")).json(&keep).send().expect(200);
    assert_eq!(changed["settings"]["retention"]["events"]["count"], 2);
    let preview = retention(&project, "");
    assert_eq!((&preview["events"]["count"], &preview["logs"]["count"]), (&json!(4), &json!(60)));
    let project = restarted(vec![project], &clock.variables(&[])).pop().unwrap();
    eventually("the removal", || {
        (held(&project, "events") == 2 && held(&project, "logs") == 50).then_some(())
    });
    eventually("an index without them", || (found_logs(&project) == 50).then_some(()));
    project.owner.get(&format!("/api/v1/events/{}", ids[3])).send().refuse(404, "event");
    project.owner.get(&format!("/api/v1/events/{}", ids[4])).send().expect(200);
}

#[test]
fn old_replays_are_removed_with_their_files_and_the_newest_stay() {
    use crate::replays::{chunk, files, replay, send, send_chunk, whole};
    let clock = Clock::new();
    let project = clock.project(&[]);
    let ids = ["one", "two"].map(|session| {
        let id = send(&project, &whole(session));
        replay(&project, &id, 1);
        id
    });
    let parts = send_chunk(&project, &chunk("parts", 0, None));
    send_chunk(&project, &chunk("parts", 1, None));
    replay(&project, &parts, 2);
    eventually("three replays", || (held(&project, "replays") == 3).then_some(()));
    assert_eq!(files(&project), 4);
    // Data that somebody deleted counts no more.
    project.owner.delete(&format!("/api/v1/replays/{}", ids[0])).send().expect(204);
    clock.forward(3);
    let newest = send(&project, &whole("newest"));
    replay(&project, &newest, 1);
    let dry = |query: &str| retention(&project, &format!("/preview?{query}"))["replays"].clone();
    assert_eq!(dry("replays_days=1")["count"], 2);
    assert!(dry("replays_days=1")["bytes"].as_i64().unwrap() > 100);
    assert_eq!((&dry("replays_days=4")["count"], &dry("replays_count=2")["count"]), (&json!(0), &json!(1)));
    assert_eq!((held(&project, "replays"), files(&project)), (3, 4), "a dry run changes nothing");

    let keep = json!({"settings": {"retention": {"replays": {"count": 2}}}});
    project.owner.patch(&project.path("")).json(&keep).send().expect(200);
    let project = restarted(vec![project], &clock.variables(&[])).pop().unwrap();
    eventually("the oldest to go", || (held(&project, "replays") == 2).then_some(()));
    project.owner.get(&format!("/api/v1/replays/{}", ids[1])).send().refuse(404, "");
    let limits = [("SERVICE_RETENTION_REPLAYS_DAYS", "1")];
    let project = restarted(vec![project], &clock.variables(&limits)).pop().unwrap();
    eventually("the old parts to go", || (held(&project, "replays") == 1).then_some(()));
    eventually("their files to go", || (files(&project) == 1).then_some(()));
    // A late part does not bring its replay back.
    send_chunk(&project, &chunk("parts", 2, Some(3)));
    let after = send(&project, &whole("after"));
    replay(&project, &after, 1);
    replay(&project, &newest, 1);
    eventually("the new ones", || (held(&project, "replays") == 2).then_some(()));
    assert_eq!(retention(&project, "")["replays"]["count"], 0);
}

#[test]
fn limits_that_are_no_numbers_or_too_large_are_refused() {
    let project = Project::new();
    let refuse = |retention: Value, message: &str| {
        let change = json!({"settings": {"retention": retention}});
        project.owner.patch(&project.path("")).json(&change).send().refuse(422, message);
    };
    refuse(json!({"events": {"days": 3651}}), "settings.retention.events.days");
    refuse(json!({"logs": {"megabytes": -1}}), "retention.logs.megabytes");
    refuse(json!({"logs": {"weeks": 1}}), "weeks");
    refuse(json!({"replays": {"count": -1}}), "retention.replays.count");
    project.owner.get(&project.path("/retention/preview?logs_days=x")).send().refuse(422, "logs_days");
    project.owner.get(&project.path("/retention/preview?logs_days=9999")).send().refuse(422, "logs.days");
}

#[test]
fn a_change_is_in_the_audit_log() {
    let project = Project::new();
    let change = json!({"settings": {"retention": {"logs": {"days": 9}}}});
    for _ in 0..2 {
        project.owner.patch(&project.path("")).json(&change).send().expect(200);
    }
    let path = format!("{}/audit?action=project.retention", project.world.organization_path());
    let log = project.owner.get(&path).send().expect(200);
    let of_project = |entry: &&Value| entry["detail"]["project_id"] == project.id;
    let found: Vec<&Value> = log["entries"].as_array().unwrap().iter().filter(of_project).collect();
    assert_eq!(found.len(), 1, "the second one changed nothing: {log}");
    assert_eq!(found[0]["detail"]["retention"]["logs"]["days"], 9);
}
