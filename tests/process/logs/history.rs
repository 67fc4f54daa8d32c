//! A `logs.db` that is older than its index, or missing: stored entries are found, newly accepted ones as well, and
//! no word finds another entry.

use super::stream::now;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{Project, Server, World, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Until an entry is found that was accepted.
const FOUND: Duration = Duration::from_secs(10);
/// The files of a stopped server's `logs.db`.
const LOGS: [&str; 4] = ["logs.db", "logs.db-wal", "logs.db-shm", "logs.db.clean"];

fn send(project: &Project, message: &str) {
    let body =
        project.with_key(&json!({"logs": [{"timestamp": now(), "level": "info", "message": message}]}));
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
}

/// The ids of the entries that a word finds, each of which has it.
fn find(project: &Project, word: &str) -> Result<Option<Vec<i64>>, String> {
    let answer = project.owner.get(&project.path(&format!("/logs?search={word}"))).send();
    if answer.status() == 503 {
        return Ok(None);
    }
    ensure(answer.status() == 200, || format!("a search for {word} fails: {answer:?}"))?;
    let answer = answer.value();
    let entries = answer["logs"].as_array().ok_or("no list")?;
    let has_it = |message: &str| message.split(' ').any(|of| of == word);
    let other = entries.iter().find(|entry| !has_it(entry["message"].as_str().unwrap_or_default()));
    ensure(other.is_none(), || format!("{word} finds another entry: {other:?}"))?;
    ensure(answer["total"] == entries.len(), || format!("{word} is counted otherwise: {answer}"))?;
    Ok(Some(entries.iter().filter_map(|entry| entry["id"].as_i64()).collect()))
}

/// Waits until a word finds so many entries.
fn found(project: &Project, word: &str, count: usize, limit: Duration) -> Result<Vec<i64>, String> {
    let mut last = Ok(None);
    let result = within(limit, "the entries", || {
        last = find(project, word);
        match &last {
            Ok(Some(ids)) if ids.len() == count => Some(Ok(ids.clone())),
            Ok(_) => None,
            Err(violation) => Some(Err(violation.clone())),
        }
    });
    result.map_err(|_| format!("{word} does not find the {count} that were accepted: {last:?}"))?
}

/// Runs `change` on the `logs.db` of a stopped server, which has entries from before and after a copy of it was made.
/// In the end the earlier ones are found if `kept`; newly accepted ones are found within `limit`.
fn changed(
    limit: Duration,
    environment: &[(&str, &str)],
    kept: bool,
    change: impl FnOnce(&Path, &Path),
) -> Outcome {
    let world = Arc::new(World::new(Server::start_with(environment)));
    let project = Project::in_world(world, "Changed");
    for number in 0..5 {
        send(&project, &format!("early number {number}"));
    }
    found(&project, "early", 5, patience(FOUND))?;
    let folder = project.world.server.data_dir().to_owned();
    assert!(project.world.server.stop().success());
    let backup = tempfile::tempdir().unwrap();
    let copy = backup.path().join("logs.db");
    fs::copy(folder.join("logs.db"), &copy).unwrap();
    let project = crate::kill::again(project, World::restart);
    for number in 0..5 {
        send(&project, &format!("lost number {number}"));
    }
    let lost = found(&project, "lost", 5, patience(FOUND))?;
    assert!(project.world.server.stop().success());
    change(&folder, &copy);
    let mut project = crate::kill::again(project, World::restart);
    let text = project.world.server.output();
    for round in 1..3 {
        for number in 0..3 {
            send(&project, &format!("late number {number}"));
        }
        let late = found(&project, "late", 3 * round, limit)?;
        ensure(late.iter().min() > lost.iter().max(), || format!("ids are used again: {late:?} {lost:?}"))?;
        found(&project, "early", if kept { 5 } else { 0 }, limit)?;
        found(&project, "lost", 0, limit)?;
        project = crate::kill::again(project, World::restart);
    }
    ensure(text.contains("log entries are lost"), || format!("what is lost is not said: {text}"))?;
    Ok(Report::default().with("lost", lost.len()))
}

fn bring_back(folder: &Path, copy: &Path) {
    remove(folder, copy);
    fs::copy(copy, folder.join("logs.db")).unwrap();
}

fn remove(folder: &Path, _copy: &Path) {
    LOGS.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
}

#[test]
fn an_older_database_is_indexed_again() {
    kept(changed(patience(FOUND), &[], true, bring_back));
}

#[test]
fn a_missing_database_leaves_no_index() {
    kept(changed(patience(FOUND), &[], false, remove));
    kept(changed(patience(FOUND), &[], false, |folder, copy| {
        remove(folder, copy);
        fs::write(folder.join("logs.db"), "").unwrap();
    }));
}

#[test]
fn an_index_of_another_history_is_noticed() {
    let limit = Duration::from_secs(3);
    broken(changed(limit, &sabotage("trust_index"), true, bring_back), "late does not find the 3 that");
}
