//! Backups and restores.

mod faults;
mod kills;
mod refusals;
mod schedule;
mod terminal;
mod under_load;
mod upkeep;

use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Server, Value, World, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

/// `mayday` on a data directory, with these arguments.
pub(crate) fn mayday(data_dir: &Path, arguments: &[&str]) -> Command {
    let mut command = command(["--data-dir"]);
    command.arg(data_dir).args(arguments);
    command
}

fn backup(data_dir: &Path, output: &Path, options: &[&str]) -> Output {
    mayday(data_dir, &["backup", "--output"]).arg(output).args(options).run()
}

fn verify(path: &Path) -> Output {
    command(["backup", "--verify"]).arg(path).run()
}

fn restore(input: &Path, data_dir: &Path, options: &[&str]) -> Output {
    mayday(data_dir, &["restore", "--input"]).arg(input).args(options).run()
}

/// The output of a command that must succeed.
#[track_caller]
fn done(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one line of a command that fails.
#[track_caller]
fn failed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("mayday: ") && output.stdout.is_empty(), "{output:?}");
    text
}

/// Every file below a directory with its content, without the lock.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().unwrap() != "run.lock" {
                let content = fs::read(&path).unwrap();
                found.insert(path, content);
            }
        }
    }
    found
}

/// The names in a directory.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn copy_tree(from: &Path, to: &Path) {
    for (path, content) in files(from) {
        let path = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// A stopped instance with an event; its owner is `email`.
fn stopped(email: &str) -> Arc<World> {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Kept");
    project.digest(&json!({"message": "an event"}));
    project.world.server.operated(&["add", email]);
    assert!(project.world.server.stop().success());
    project.world
}

/// The accounts of a stopped instance, as the operator sees them.
fn accounts(data_dir: &Path) -> String {
    done(&mayday(data_dir, &["user", "list"]).run())
}

fn manifest(backup: &Path) -> Value {
    serde_json::from_slice(&fs::read(backup.join("manifest.json")).unwrap()).unwrap()
}
