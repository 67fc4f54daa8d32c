//! `GET /api/v1/instance/usage`, `GET /api/v1/projects/{project_id}/usage`, and `mayday usage`.

use crate::support::project::SCRIPT_URL;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Bundle, Project, Value, eventually, json, maps};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Count and bytes of a kind.
fn part(usage: &Value, kind: &str) -> (i64, i64) {
    let kinds = usage["kinds"].as_array().unwrap();
    let part = kinds.iter().find(|part| part["kind"] == kind).unwrap_or_else(|| panic!("no {kind}: {usage}"));
    (part["count"].as_i64().unwrap(), part["bytes"].as_i64().unwrap())
}

fn instance(project: &Project) -> Value {
    project.owner.get("/api/v1/instance/usage").send().expect(200)
}

fn of(usage: &Value, project: &Project) -> Value {
    let projects = usage["projects"].as_array().unwrap();
    projects.iter().find(|listed| listed["project_id"] == project.id).cloned().unwrap_or_default()
}

/// Repeats the request until the project's figures are as expected: they may be a second old.
fn once(project: &Project, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    eventually(what, || {
        let usage = instance(project);
        is_so(&of(&usage, project)).then_some(usage)
    })
}

pub(crate) fn log(project: &Project, entries: usize) {
    let entry = |number| json!({"timestamp": 1_795_000_000 + number, "level": "info", "message": "An entry"});
    let entries: Vec<Value> = (0..entries).map(entry).collect();
    let body = json!({"api_key": project.key, "logs": entries});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
}

/// Bytes of all files below a directory, as `du` counts them.
fn on_disk(path: &Path) -> i64 {
    // It may have been deleted since it was listed.
    let Ok(found) = fs::symlink_metadata(path) else { return 0 };
    let own = i64::try_from(found.blocks() * 512).unwrap();
    if !found.is_dir() {
        return own;
    }
    own + fs::read_dir(path).into_iter().flatten().flatten().map(|entry| on_disk(&entry.path())).sum::<i64>()
}

#[test]
fn a_projects_data_is_counted_by_kind() {
    let project = Project::alone();
    let other = project.other();
    for _ in 0..3 {
        project.digest(&Project::throw(None));
    }
    other.digest(&json!({"message": "x"}));
    log(&project, 7);
    // One map is the project's alone, the other one both have.
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let own = maps::cart().replace("\"version\"", "\"file\":\"own\",\"version\"");
    project.upload("1.0.0", "~/own.js", &own).expect(201);
    other.upload("2.0.0", SCRIPT_URL, &maps::cart()).expect(201);

    let usage = once(&project, "the last upload", |usage| {
        usage["shared_source_map_bytes"].as_i64().unwrap_or(0) > 0 && part(usage, "logs").0 == 7
    });
    let (mine, theirs) = (of(&usage, &project), of(&usage, &other));
    assert_eq!(part(&mine, "events").0, 3);
    assert!(part(&mine, "events").1 > 100, "{mine}");
    assert_eq!(part(&mine, "logs").0, 7);
    assert_eq!(part(&mine, "source_maps").0, 2);
    assert_eq!((part(&theirs, "events").0, part(&theirs, "logs").0), (1, 0));
    assert_eq!(part(&theirs, "source_maps").0, 1);
    // A shared content is divided between its projects, and stored once.
    assert_eq!(mine["shared_source_map_bytes"], theirs["shared_source_map_bytes"]);
    assert_eq!(2 * part(&theirs, "source_maps").1, theirs["shared_source_map_bytes"].as_i64().unwrap());
    let sum = |usage: &Value| {
        let kinds = usage["kinds"].as_array().unwrap().iter();
        kinds.map(|part| part["bytes"].as_i64().unwrap()).sum::<i64>()
    };
    for usage in [&usage, &mine, &theirs] {
        assert_eq!(usage["bytes"].as_i64().unwrap(), sum(usage), "{usage}");
    }
    assert_eq!(usage["growth_bytes_per_day"], Value::Null, "there is no earlier day");

    let shown = project.owner.get(&project.path("/usage")).send().expect(200);
    assert_eq!(part(&shown, "events"), part(&mine, "events"));
}

#[test]
fn style_sheets_are_counted_with_source_maps() {
    let project = Project::alone();
    let other = project.other();
    let styles = json!([{"url": "~/a.css", "file": "a"}, {"url": "~/b.css", "file": "a"}]);
    let manifest = json!({"release": "1", "files": [], "styles": styles});
    for project in [&project, &other] {
        let bundle = Bundle::new().manifest(&manifest).file("a", "h1 { color: red }");
        project.upload_bundle(bundle.encode()).expect(201);
    }
    let usage = once(&project, "the style sheet that both have", |usage| {
        usage["shared_source_map_bytes"].as_i64().unwrap_or(0) > 0
    });
    for project in [&project, &other] {
        let usage = of(&usage, project);
        let (count, bytes) = part(&usage, "source_maps");
        assert_eq!((count, 2 * bytes), (1, usage["shared_source_map_bytes"].as_i64().unwrap()), "{usage}");
    }
}

#[test]
fn replays_are_counted_with_the_bytes_of_their_files() {
    let project = Project::alone();
    let sent = crate::replays::whole("counted");
    let id = crate::replays::send(&project, &sent);
    let bytes = crate::replays::replay(&project, &id, 1)["bytes"].as_i64().unwrap();
    assert!(bytes > 0);
    let counted = |expected| {
        let usage =
            once(&project, "the replay", |usage| !usage.is_null() && part(usage, "replays") == expected);
        part(&usage, "replays").1
    };
    // The instance's figure is the space that the files use, in blocks of the file system.
    assert!(counted((1, bytes)) >= bytes);
    project.owner.delete(&format!("/api/v1/replays/{id}")).send().expect(204);
    counted((0, 0));
}

#[test]
fn the_sum_is_the_size_of_the_files() {
    let project = Project::alone();
    project.digest(&json!({"message": "x"}));
    // Files grow during the count.
    eventually("the same sum", || {
        let before = on_disk(project.world.server.data_dir());
        let usage = instance(&project);
        let bytes = usage["bytes"].as_i64().unwrap();
        ((bytes - before).abs() < 200_000).then_some(())
    });
}

#[test]
fn the_figures_of_each_day_are_stored() {
    let project = Project::alone();
    project.digest(&json!({"message": "x"}));
    // Midnight may pass meanwhile.
    let day = eventually("the figures of today", || {
        let usage = instance(&project);
        let today = usage["measured_at"].as_str()?.get(..10)?;
        let mut days = usage["history"].as_array().unwrap().iter().filter(|day| day["day"] == today);
        let day = days.next().cloned();
        assert_eq!(days.next(), None, "each day is there once");
        day
    });
    assert!(day["bytes"].as_i64().unwrap() > 0);
}

#[test]
fn deleted_data_is_no_longer_counted() {
    let project = Project::alone();
    let other = project.other();
    project.digest(&json!({"message": "x"}));
    other.digest(&json!({"message": "x"}));
    once(&project, "the event", |usage| !usage.is_null() && part(usage, "events").0 == 1);
    project.owner.delete(&project.issue_path(&project.issue())).send().expect(204);
    once(&project, "no event", |usage| part(usage, "events") == (0, 0));
    project.owner.delete(&project.path("")).send().expect(204);
    let usage = once(&project, "no project", Value::is_null);
    assert_eq!(part(&of(&usage, &other), "events").0, 1);
}

#[test]
fn the_command_line_shows_the_same_with_and_without_a_running_server() {
    let project = Project::alone();
    project.digest(&json!({"message": "x"}));
    log(&project, 5);
    let run = |arguments: &[&str]| {
        let dir = project.world.server.data_dir().to_str().unwrap();
        let output = command(arguments).args(["--data-dir", dir]).run();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let check = || {
        let usage: Value = serde_json::from_str(&run(&["usage", "--json"])).unwrap();
        let mine = of(&usage, &project);
        assert_eq!((part(&mine, "events").0, part(&mine, "logs").0), (1, 5));
        let table = run(&["usage"]);
        for expected in ["PROJECT", "Shop", "Log entries", "are free"] {
            assert!(table.contains(expected), "no {expected:?} in\n{table}");
        }
        let retention: Value =
            serde_json::from_str(&run(&["retention", "--logs-count", "1", "--json"])).unwrap();
        assert_eq!(retention["projects"][0]["logs"]["count"], 4, "{retention}");
        assert_eq!(retention["sessions"], json!({"days": 0, "count": 0}), "{retention}");
        let table = run(&["retention", "--sessions-days", "30"]);
        for expected in ["Nothing was removed", "kept for 30 days after their end; 0 would go"] {
            assert!(table.contains(expected), "no {expected:?} in\n{table}");
        }
    };
    check();
    project.world.server.stop();
    check();
}

#[test]
fn without_data_the_command_line_explains_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let output = command(["usage", "--data-dir"]).arg(empty.path()).run();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("start the server once"), "{output:?}");
}
