//! One process for a data directory.

use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Server, json};

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
