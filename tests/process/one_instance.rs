//! The files of a data directory belong together: nobody sees data that another instance, or an earlier state, left
//! there.

use crate::instance::refused;
use crate::logs::stream::now;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{Project, Server, World, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Until a log entry is found.
const FOUND: Duration = Duration::from_secs(10);
/// The files of a stopped server's `main.db`.
const MAIN: [&str; 4] = ["main.db", "main.db-wal", "main.db-shm", "main.db.clean"];

/// A stopped server's directory, with an event and a log entry of a project.
fn left(environment: &[(&str, &str)]) -> Project {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Left");
    project.digest(&json!({"message": "the event of somebody"}));
    log(&project, "the words of somebody");
    assert!(project.world.server.stop().success());
    project
}

fn log(project: &Project, message: &str) {
    let body =
        project.with_key(&json!({"logs": [{"timestamp": now(), "level": "info", "message": message}]}));
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    within(patience(FOUND), "the entry to be found", || {
        (project.owner.get(&project.path("/logs")).send().expect(200)["total"] != 0).then_some(())
    })
    .unwrap();
}

fn remove_main(folder: &Path) {
    MAIN.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
}

/// A directory that `change` modified is refused, and the reason names the file.
fn mixed(environment: &[(&str, &str)], named: &[&str], change: impl FnOnce(&Path)) -> Outcome {
    let project = left(environment);
    let folder = project.world.server.data_dir();
    change(folder);
    let text = refused(folder, environment)?;
    for name in named.iter().chain(&["the data directory from a backup"]) {
        ensure(text.contains(name), || format!("{name} is not named: {text}"))?;
    }
    ensure(refused(folder, environment)? == text, || "the second time it says something else".to_owned())?;
    Ok(Report::default().with("said", text))
}

#[test]
fn a_missing_database_is_not_created_anew_beside_its_other_files() {
    kept(mixed(&[], &["main.db is missing", "logs.db", "intake", "sourcemaps"], remove_main));
    let empty = |folder: &Path| {
        remove_main(folder);
        fs::write(folder.join("main.db"), "").unwrap();
    };
    kept(mixed(&[], &["main.db is missing or empty"], empty));
}

#[test]
fn files_of_another_instance_are_refused() {
    let other = left(&[]);
    let other = other.world.server.data_dir();
    for name in ["main.db", "logs.db", "intake", "sourcemaps"] {
        let swap = |folder: &Path| {
            if other.join(name).is_dir() {
                fs::remove_dir_all(folder.join(name)).unwrap();
                fs::rename(other.join(name), folder.join(name)).unwrap();
            } else {
                fs::copy(other.join(name), folder.join(name)).unwrap();
            }
        };
        kept(mixed(&[], &["belongs to another instance"], swap));
    }
}

#[test]
fn an_instance_that_starts_with_anothers_files_is_noticed() {
    broken(mixed(&sabotage("mixed_files"), &[], remove_main), "it starts");
}

#[test]
fn a_missing_intake_is_reported() {
    let remove = |folder: &Path| fs::remove_dir_all(folder.join("intake")).unwrap();
    kept(mixed(&[], &["intake", "accept-loss"], remove));
}

#[test]
fn a_directory_without_anything_is_a_new_instance() {
    let project = left(&[]);
    let folder = project.world.server.data_dir().to_owned();
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        let is_folder = entry.file_type().unwrap().is_dir();
        if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }.unwrap();
    }
    let project = crate::kill::again(project, World::restart);
    assert!(project.world.server.setup_token.is_some());
}

/// Restores an older `main.db` beside newer files, for which it has no project.
fn older(environment: &[(&str, &str)]) -> Outcome {
    let project = left(environment);
    let folder = project.world.server.data_dir().to_owned();
    let backup = tempfile::tempdir().unwrap();
    fs::copy(folder.join("main.db"), backup.path().join("main.db")).unwrap();
    let project = crate::kill::again(project, World::restart);
    let later = project.other();
    later.digest(&json!({"message": "the event of somebody else"}));
    log(&later, "the words of somebody else");
    let id = later.id;
    drop(later);
    assert!(project.world.server.stop().success());
    remove_main(&folder);
    fs::copy(backup.path().join("main.db"), folder.join("main.db")).unwrap();
    let project = crate::kill::again(project, World::restart);
    // The entries of its own project are there, and none of others.
    let logs = project.owner.get(&project.path("/logs")).send().expect(200);
    ensure(logs["total"] == 1, || format!("of its project: {logs}"))?;
    let next = project.other();
    let logs = next.owner.get(&next.path("/logs")).send().expect(200);
    ensure(logs["total"] == 0, || format!("a new project shows entries of another: {logs}"))?;
    ensure(next.id > id, || format!("the id {} is used again", next.id))?;
    next.digest(&json!({"message": "its own"}));
    let issues = next.issues("");
    ensure(issues["total"] == 1, || format!("a new project shows issues of another: {issues}"))?;
    Ok(Report::default().with("before", id).with("now", next.id))
}

#[test]
fn a_project_never_gets_the_id_of_one_that_an_older_database_lacks() {
    kept(older(&[]));
}

#[test]
fn ids_that_are_used_again_are_noticed() {
    broken(older(&sabotage("reuse_project_ids")), "a new project shows entries of another");
}
