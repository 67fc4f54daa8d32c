//! The file of the setup token, and what the server prints.

use crate::support::server::{RunToEnd as _, command};
use crate::support::world::setup;
use crate::support::{Server, World};
use std::os::unix::fs::MetadataExt as _;

#[test]
fn the_token_is_in_a_file_that_only_its_owner_can_read() {
    let server = Server::start();
    let file = server.setup_token_file();
    let token = server.setup_token.clone().unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), token);
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);

    let groups: Vec<&str> = token.split('-').collect();
    assert_eq!(groups.len(), 8);
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    assert!(groups.iter().all(|group| group.len() == 4 && group.bytes().all(is_hex)), "{token}");
}

#[test]
fn the_claim_removes_the_file() {
    let world = World::new(Server::start());
    assert!(!world.server.setup_token_file().exists());
    let output = command(["setup-token", "--data-dir"]).arg(world.server.data_dir()).run();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_restart_before_the_claim_keeps_the_token() {
    let server = Server::start();
    let token = server.setup_token.clone();
    let server = server.restart();
    assert_eq!(server.setup_token, token);
    server.anonymous().post("/auth/setup").json(&setup(&token.unwrap())).send().expect(201);
}

#[test]
fn a_lost_file_makes_a_new_token_and_the_old_one_is_void() {
    let server = Server::start();
    let old = server.setup_token.clone().unwrap();
    std::fs::remove_file(server.setup_token_file()).unwrap();
    let server = server.restart();
    let new = server.setup_token.clone().unwrap();
    assert_ne!(new, old);
    server.anonymous().post("/auth/setup").json(&setup(&old)).send().refuse(403, "setup token");
    server.anonymous().post("/auth/setup").json(&setup(&new)).send().expect(201);
}

#[test]
fn the_command_prints_the_token_while_the_server_runs() {
    let server = Server::start();
    let output = command(["setup-token", "--data-dir"]).arg(server.data_dir()).run();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), server.setup_token.clone().unwrap());
}

#[test]
fn the_token_is_served_nowhere_and_logged_only_in_the_first_lines() {
    let server = Server::start();
    let token = server.setup_token.clone().unwrap();
    for path in ["/", "/setup", "/meta", "/health", "/setup-token", "/data/setup-token", "/api/openapi.json"]
    {
        let answer = server.anonymous().get(path).send();
        assert!(!answer.text().contains(&token), "{path}");
    }
    let world = World::new(server);
    assert_eq!(world.server.output().matches(&token).count(), 1);
}

#[test]
fn the_data_directory_and_all_in_it_are_for_its_owner_only() {
    let world = World::new(Server::start());
    let mut folders = vec![world.server.data_dir().to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            // It may have been deleted since it was listed.
            let Ok(found) = entry.metadata() else { continue };
            seen += 1;
            let mode = found.mode();
            assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", entry.path().display());
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    assert!(seen > 3, "only {seen} files and directories");
}
