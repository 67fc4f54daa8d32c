//! One process for a data directory.

use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Server, World, json};
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::Arc;

/// Starts a second process on the directory of a running one.
fn second(environment: &[(&str, &str)]) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "First");
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

#[test]
fn one_process_has_the_directory() {
    kept(second(&[]));
}

#[test]
fn a_process_that_takes_a_directory_in_use_is_noticed() {
    broken(second(&sabotage("no_lock")), "a second process serves");
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
fn an_address_in_use_is_said() {
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
fn a_data_directory_that_is_a_file_is_said() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(file.path()).run();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.lines().count() == 1 && text.contains(file.path().to_str().unwrap()), "{text}");
}
