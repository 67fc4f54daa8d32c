//! Truncated or deleted files of the intake journal: the server reports that their acknowledged events are missing.

use crate::instance::refused;
use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::{Project, Server, World, json};
use rustix::process::Signal;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Events, each of them acknowledged alone: as many groups.
const EVENTS: usize = 30;

/// The journal's files in their order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("intake")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "journal")).collect();
    files.sort();
    files
}

/// Kills a server and damages a file: it does not start without naming the loss, and starts if told to accept it.
fn spoiled(environment: &[(&str, &str)], spoil: impl FnOnce(&Path)) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Spoiled");
    (0..EVENTS).for_each(|number| drop(project.accept(&json!({"message": format!("Number {number}")}))));
    let server = &project.world.server;
    server.signal(Signal::KILL);
    server.wait();
    let folder = server.data_dir().to_owned();
    let file = files(&folder).pop().ok_or("there is no file")?;
    spoil(&file);
    let text = refused(&folder, environment)?;
    let says = |what: &str| ensure(text.contains(what), || format!("does not say what to do: {text}"));
    says(file.to_str().unwrap())?;
    says("the data directory from a backup")?;
    let accept = folder.join("intake/accept-loss");
    says(&format!("touch {}", accept.display()))?;
    fs::write(accept, "").unwrap();
    let mut project = project;
    for round in 0..2 {
        project = crate::kill::again(project, World::kill_and_restart);
        project.digest(&json!({"message": format!("Round {round}")}));
    }
    Ok(Report::default().with("events", EVENTS))
}

/// Keeps the first half of the file.
fn cut(path: &Path) {
    let used = fs::read(path).unwrap().iter().rposition(|byte| *byte != 0).unwrap();
    File::options().write(true).open(path).unwrap().set_len(used as u64 / 2).unwrap();
}

fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_was_cut_is_missed() {
    kept(spoiled(&[], cut));
    kept(spoiled(&[], |path| fs::write(path, "").unwrap()));
}

#[test]
fn a_server_that_trusts_a_cut_file_is_noticed() {
    broken(spoiled(&sabotage("trust_cut_files"), cut), "it starts");
}

#[test]
fn the_only_file_is_missed() {
    kept(spoiled(&[], remove));
}

#[test]
fn a_server_that_misses_no_file_is_noticed() {
    broken(spoiled(&sabotage("no_newest_mark"), remove), "it starts");
}
