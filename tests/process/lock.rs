//! One process for a data directory.

use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Server, World, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

/// Starts a second process on the directory of a running one, to which `change` did something.
fn second(environment: &[(&str, &str)], change: impl FnOnce(&Path)) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "First");
    change(project.world.server.data_dir());
    let mut second = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    second.arg(project.world.server.data_dir()).envs(environment.iter().copied());
    let mut second = second.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // A line of output is the greeting of one that serves.
    let mut greeting = String::new();
    BufReader::new(second.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
    if !greeting.is_empty() {
        second.kill().unwrap();
    }
    let status = second.wait().unwrap();
    ensure(greeting.is_empty(), || format!("a second process serves the same directory: {greeting}"))?;
    ensure(status.code() == Some(1), || format!("ended with {status}"))?;
    project.digest(&json!({"message": "x"}));
    project.world.anonymous().get("/health").send().expect(200);
    Ok(Report::default().with("second", status))
}

fn unlink(folder: &Path) {
    fs::remove_file(folder.join("run.lock")).unwrap();
}

/// How long a process may take to end: some checks of its directory, and its last answers.
const ENDED: Duration = Duration::from_secs(5);

/// A running server ends with the reason once `change` has removed from its directory what it holds open; after
/// `undo`, all acknowledged events are there.
fn taken_away(
    limit: Duration,
    environment: &[(&str, &str)],
    named: &str,
    change: impl FnOnce(&Path),
    undo: impl FnOnce(&Path),
) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "First");
    let ids: Vec<String> =
        (0..20).map(|number| project.accept(&json!({"message": format!("Number {number}")}))).collect();
    let server = &project.world.server;
    let folder = server.data_dir().to_owned();
    change(&folder);
    within(limit, "the process to end", || server.has_ended().then_some(()))
        .map_err(|late| format!("it goes on without what it took: {late}"))?;
    let status = server.wait();
    ensure(status.code() == Some(1), || format!("ended with {status}"))?;
    let line = format!("mayday: {}{named} was removed or replaced", folder.display());
    // Its last output may arrive after it has ended.
    let says_why = || server.output().lines().any(|said| said.starts_with(&line)).then_some(());
    within(limit, "the reason", says_why).map_err(|_| format!("does not say why: {}", server.output()))?;
    undo(&folder);
    let project = crate::kill::again(project, World::restart);
    ids.iter().for_each(|id| drop(project.event(id)));
    Ok(Report::default().with("events", ids.len()))
}

#[test]
fn a_lock_that_is_removed_lets_no_second_process_in() {
    // The first would end, and the second be right to start.
    kept(second(&sabotage("no_lock_watch"), unlink));
}

#[test]
fn a_lock_that_is_only_a_name_is_noticed() {
    broken(second(&sabotage("no_lock_watch,lock_file_only"), unlink), "a second process serves");
}

#[test]
fn a_process_ends_when_its_files_are_removed_or_replaced() {
    let patience = patience(ENDED);
    let nothing = |_: &Path| {};
    kept(taken_away(patience, &[], "/run.lock", unlink, nothing));
    let replace = |folder: &Path| {
        fs::write(folder.join("new"), "").unwrap();
        fs::rename(folder.join("new"), folder.join("run.lock")).unwrap();
    };
    kept(taken_away(patience, &[], "/run.lock", replace, nothing));
    let away = |folder: &Path| folder.with_extension("away");
    kept(taken_away(
        patience,
        &[],
        "",
        |folder| fs::rename(folder, away(folder)).unwrap(),
        |folder| {
            // The folder that the process created again by its name.
            let _ = fs::remove_dir_all(folder);
            fs::rename(away(folder), folder).unwrap();
        },
    ));
    let hide = |folder: &Path| fs::rename(folder.join("main.db"), folder.join("hidden")).unwrap();
    let show = |folder: &Path| fs::rename(folder.join("hidden"), folder.join("main.db")).unwrap();
    kept(taken_away(patience, &[], "/main.db", hide, show));
}

#[test]
fn a_process_that_goes_on_without_its_lock_is_noticed() {
    let outcome = taken_away(Duration::from_secs(1), &sabotage("no_lock_watch"), "", unlink, |_| {});
    broken(outcome, "goes on without what it took");
}

#[test]
fn one_process_has_the_directory() {
    kept(second(&[], |_| {}));
}

#[test]
fn a_process_that_takes_a_directory_in_use_is_noticed() {
    broken(second(&sabotage("no_lock"), |_| {}), "a second process serves");
}

#[test]
fn a_second_process_is_refused_and_the_first_unharmed() {
    let project = Project::new();
    let folder = project.world.server.data_dir();
    let output = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder).run();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("in use") && text.contains(folder.to_str().unwrap()), "{text}");
    assert!(output.stdout.is_empty());
    project.digest(&json!({"message": "x"}));
    project.world.anonymous().get("/health").send().expect(200);
}

#[test]
fn the_directory_is_free_again_after_a_stop_and_after_a_kill() {
    let server = Server::start().restart();
    server.anonymous().get("/health").send().expect(200);
    let server = server.kill_and_restart();
    server.anonymous().get("/health").send().expect(200);
}

#[test]
fn an_address_in_use_is_reported() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let listen = server.anonymous().origin().replace("http://", "");
    let output = command(["serve", "--listen", &listen, "--data-dir"]).arg(folder.path()).run();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("SERVICE_LISTEN") && text.contains(&listen), "{text}");
    server.anonymous().get("/health").send().expect(200);
}

#[test]
fn a_data_directory_that_is_a_file_is_reported() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(file.path()).run();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.lines().count() == 1 && text.contains(file.path().to_str().unwrap()), "{text}");
}
