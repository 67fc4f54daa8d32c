//! A database that somebody or something spoiled.

use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Server, World, json};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

const PAGE: u64 = 4_096;
/// From the first statement that meets it to the end of the process.
const ENDED: Duration = Duration::from_secs(5);

/// Overwrites a page (the first is 1).
fn spoil(path: &Path, page: u64) {
    let mut file = File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * PAGE)).unwrap();
    file.write_all(&[0xa5; PAGE as usize]).unwrap();
}

/// Spoils a page of a stopped server's database; `part` of the whole, 0 to 100.
fn at_rest(part: u64, environment: &[(&str, &str)]) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Damaged");
    (0..50).for_each(|number| drop(project.accept(&json!({"message": format!("Number {number}")}))));
    project.digest(&json!({"message": "the last one"}));
    let server = &project.world.server;
    assert!(server.stop().success());
    let path = server.data_dir().join("main.db");
    let pages = std::fs::metadata(&path).unwrap().len() / PAGE;
    spoil(&path, 1 + (pages - 1) * part / 100);
    let mut serve = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    serve.arg(server.data_dir()).envs(environment.iter().copied());
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    ensure(greeting.is_empty(), || format!("it serves a damaged database: {greeting}"))?;
    let mut again = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let output = again.arg(server.data_dir()).run();
    let text = String::from_utf8(output.stderr).unwrap();
    ensure(output.status.code() == Some(1), || format!("ended with {}", output.status))?;
    let named = text.contains(path.to_str().unwrap()) && text.contains("the data directory from a backup");
    ensure(named && text.lines().count() == 1, || format!("does not say what to do: {text}"))?;
    Ok(Report::default().with("pages", pages).with("spoiled", 1 + (pages - 1) * part / 100))
}

#[test]
fn a_damaged_database_is_refused_with_advice() {
    for part in [0, 3, 40, 75, 100] {
        kept(at_rest(part, &[]));
    }
}

#[test]
fn a_server_that_opens_a_damaged_database_is_noticed() {
    broken(at_rest(75, &sabotage("open_damaged")), "it serves a damaged database");
}

#[test]
fn damage_found_while_running_ends_the_process_with_the_same_advice() {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Damaged");
    project.digest(&json!({"message": "x"}));
    // A restart empties the WAL, which would hide the file's pages.
    let project = crate::kill::again(project, World::restart);
    let path = project.world.server.data_dir().join("main.db");
    let pages = std::fs::metadata(&path).unwrap().len() / PAGE;
    (3..=pages).for_each(|page| spoil(&path, page));
    let answer = project.owner.get(&project.path("/issues")).try_send();
    // A job may have found it first, and the process may end before it answers.
    if let Ok(answer) = answer {
        assert_eq!(answer.status(), 503, "{answer:?}");
    }
    let server = &project.world.server;
    within(patience(ENDED), "the process to end", || server.has_ended().then_some(())).unwrap();
    assert_eq!(server.wait().code(), Some(1));
    // Its last output may arrive after it has ended.
    let says = |part: &str| server.output().contains(part);
    within(patience(ENDED), "the way back", || {
        (says("main.db is damaged") && says("the data directory from a backup")).then_some(())
    })
    .unwrap_or_else(|late| panic!("{late}: {}", server.output()));
}
