//! A damaged log index is rebuilt and gives the same answers.

use super::stream::now;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{Project, Server, Value, World, json};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Until it answers the same again.
const BACK: Duration = Duration::from_secs(10);
const ENTRIES: usize = 120;
const PARTS: usize = 4;

#[derive(Debug, Clone, Copy)]
enum Spoil {
    /// Bytes all over the file.
    Flip,
    /// Changes a few bytes in the middle: most of the file is still valid.
    Touch,
    /// Flips a bit so many hundredths into the file and keeps its times, so that it seems unchanged.
    Hide(usize),
    Cut,
    Empty,
    Remove,
}

fn filled(environment: &[(&str, &str)]) -> Project {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Damaged");
    for part in 0..PARTS {
        let entry = |number: usize| {
            json!({"timestamp": now() - 600.0 + number as f64, "level": (["info", "error"][number % 2]),
                "message": format!("Order {number} of the customer {part} failed at the desk"),
                "trace_id": format!("trace-{}", number % 7), "attributes": {"order": number % 13}})
        };
        let logs: Vec<Value> = (0..ENTRIES / PARTS).map(entry).collect();
        let body = project.with_key(&json!({"logs": logs}));
        project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    }
    let path = project.path("/logs");
    within(patience(BACK), "all to be found", || {
        (project.owner.get(&path).send().expect(200)["total"] == ENTRIES).then_some(())
    })
    .unwrap();
    project
}

/// The answers of the index; none while it cannot answer.
fn answers(project: &Project) -> Option<Vec<Value>> {
    const ROUTES: [&str; 7] = [
        "/logs?limit=1000",
        "/logs?search=order+-customer",
        "/logs?search=%22customer+3%22+order:*&levels=error&limit=1000",
        "/logs?search=%22order+7+of+the+customer%22+trace:trace-0",
        "/logs/templates",
        "/logs/fields?field=attributes.order",
        "/logs/fields",
    ];
    let ask = |route: &&str| {
        let answer = project.owner.get(&project.path(route)).try_send().ok()?;
        (answer.status() == 200).then(|| answer.value())
    };
    ROUTES.iter().map(ask).collect()
}

fn folder(project: &Project) -> PathBuf {
    project.world.server.data_dir().join("logs/index")
}

/// The largest file of each kind.
fn kinds(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, length) = (entry.path(), entry.metadata().unwrap().len());
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = name.rsplit('.').next().unwrap().to_owned();
        let kind = if kind == "json" { name } else { kind };
        match found.iter_mut().find(|(known, ..)| *known == kind) {
            Some(known) if known.1 < length => (known.1, known.2) = (length, path),
            Some(_) => {}
            None => found.push((kind, length, path)),
        }
    }
    found.into_iter().filter(|(_, length, _)| *length > 0).map(|(kind, _, path)| (kind, path)).collect()
}

fn spoil(path: &Path, how: Spoil) {
    let changed_at = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    match how {
        Spoil::Flip => {
            let step = (bytes.len() / 40).max(1);
            bytes.iter_mut().step_by(step).for_each(|byte| *byte ^= 0x55);
        }
        Spoil::Hide(part) => {
            let length = bytes.len();
            bytes[length * part / 100] ^= 1;
        }
        Spoil::Touch => {
            let length = bytes.len();
            let middle = bytes[length / 4..].iter_mut().take(length / 2);
            middle.step_by((length / 20).max(1)).for_each(|byte| *byte ^= 0x15);
        }
        Spoil::Cut => bytes.truncate(bytes.len() / 2),
        Spoil::Empty => bytes.clear(),
        Spoil::Remove => return fs::remove_file(path).unwrap(),
    }
    fs::write(path, bytes).unwrap();
    if matches!(how, Spoil::Hide(_)) {
        fs::File::options().write(true).open(path).unwrap().set_modified(changed_at).unwrap();
    }
}

/// Spoils a file while the server is down, which was stopped or killed.
fn at_rest(how: Spoil, stop: Signal) -> Outcome {
    spoiled(how, stop, patience(BACK), &[], &[])
}

/// The same for some kinds of files.
fn spoiled(
    how: Spoil,
    stop: Signal,
    limit: Duration,
    only: &[&str],
    environment: &[(&str, &str)],
) -> Outcome {
    let mut project = filled(environment);
    let expected = answers(&project).expect("answers");
    let found = kinds(&folder(&project));
    let mut count = 0;
    for (kind, _) in &found {
        if !only.is_empty() && !only.contains(&kind.as_str()) {
            continue;
        }
        project.world.server.signal(stop);
        project.world.server.wait();
        // A rebuilt index has other files of the same kinds.
        let files = kinds(&folder(&project));
        let Some((_, path)) = files.iter().find(|(known, _)| known == kind) else { continue };
        spoil(path, how);
        project = crate::kill::again(project, World::restart);
        let name = format!("{how:?} of {kind}");
        check(&project, &expected, &name, limit)?;
        count += 1;
    }
    ensure(count > 0, || format!("no such files: {found:?}"))?;
    Ok(Report::default().with("files", count))
}

/// Events are accepted meanwhile, and the answers are soon the same.
fn check(project: &Project, expected: &[Value], name: &str, limit: Duration) -> Result<(), String> {
    let none = project.with_key(&json!({"logs": [{"level": "info"}]}));
    let taken = project.world.anonymous().post("/api/v1/logs/batch").json(&none).send().status();
    ensure(taken == 202, || format!("{name}: intake answers {taken}"))?;
    let mut last = None;
    let same = within(limit, "the same answers", || {
        last = answers(project);
        (last.as_deref() == Some(expected)).then_some(())
    });
    let totals: Vec<_> = last.iter().flatten().map(|answer| answer["total"].clone()).collect();
    let server = &project.world.server;
    same.map_err(|_| format!("{name}: it does not answer the same: {totals:?}\n{}", server.output()))?;
    // The damage must not show up later; during a rebuild, some answers are missing.
    std::thread::sleep(Duration::from_millis(300));
    ensure(!server.has_ended(), || format!("{name}: the process ended"))?;
    let same =
        within(limit, "the same answers", || (answers(project).as_deref() == Some(expected)).then_some(()));
    same.map_err(|_| format!("{name}: not the same for long"))
}

#[test]
fn an_index_with_flipped_bytes_is_rebuilt() {
    kept(at_rest(Spoil::Flip, Signal::TERM));
    kept(at_rest(Spoil::Touch, Signal::KILL));
}

#[test]
fn an_index_with_a_hidden_change_is_rebuilt() {
    kept(at_rest(Spoil::Hide(50), Signal::TERM));
    kept(spoiled(Spoil::Hide(10), Signal::TERM, patience(BACK), &["term", "idx"], &[]));
}

#[test]
fn an_index_that_is_checked_after_crashes_only_is_noticed() {
    // Without the periodic check, a search that finds something inconsistent still starts a rebuild.
    let switch = sabotage("no_check_after_clean_stops");
    let hidden =
        |part| spoiled(Spoil::Hide(part), Signal::TERM, Duration::from_secs(2), &["term", "idx"], &switch);
    broken(
        (10..100).step_by(10).map(hidden).find(Result::is_err).unwrap_or_else(|| Ok(Report::default())),
        "the same",
    );
}

#[test]
fn a_truncated_index_is_rebuilt() {
    kept(at_rest(Spoil::Cut, Signal::KILL));
}

#[test]
fn an_index_with_a_missing_file_is_rebuilt() {
    kept(at_rest(Spoil::Empty, Signal::TERM));
    kept(at_rest(Spoil::Remove, Signal::KILL));
}

#[test]
fn an_index_that_is_not_checked_is_noticed() {
    let switch = sabotage("no_index_check");
    broken(spoiled(Spoil::Touch, Signal::KILL, BACK, &["fast", "pos", "idx"], &switch), "the same");
}

/// Makes an index look like one of an earlier Mayday, which split words differently; returns its format.
fn outdate(project: &Project) -> i64 {
    let meta = folder(project).join("meta.json");
    let mut lists: Value = serde_json::from_slice(&fs::read(&meta).unwrap()).unwrap();
    let mut payload: Value = serde_json::from_str(lists["payload"].as_str().unwrap()).unwrap();
    let format = payload["format"].as_i64().unwrap();
    payload["format"] = json!(format - 1);
    lists["payload"] = json!(payload.to_string());
    fs::write(&meta, lists.to_string()).unwrap();
    // Otherwise the checksum would report a changed file, which counts as damage.
    drop(fs::remove_file(folder(project).with_extension("clean")));
    format
}

#[test]
fn an_index_of_another_format_is_rebuilt() {
    let mut project = filled(&[]);
    let expected = answers(&project).expect("answers");
    for stop in [Signal::TERM, Signal::KILL] {
        project.world.server.signal(stop);
        project.world.server.wait();
        let format = outdate(&project);
        project = crate::kill::again(project, World::restart);
        kept(check(&project, &expected, "another format", patience(BACK)).map(|()| Report::default()));
        let text = project.world.server.output();
        assert!(text.contains("it has another format") && text.contains("is being rebuilt"), "{text}");
        let stored = fs::read_to_string(folder(&project).join("meta.json")).unwrap();
        assert!(stored.contains(&format!(r#"{{\"format\":{format},"#)), "{stored}");
    }
}

/// While the server runs: entries are accepted, and all are found again.
#[test]
fn an_index_that_is_deleted_under_a_running_server_comes_back() {
    let project = filled(&[]);
    let expected = answers(&project).expect("answers");
    for _ in 0..2 {
        fs::remove_dir_all(folder(&project)).unwrap();
        // Meanwhile searches use the files that were open.
        let there = folder(&project).join("meta.json");
        within(patience(BACK), "the index", || there.exists().then_some(())).unwrap();
        kept(check(&project, &expected, "deleted", patience(BACK)).map(|()| Report::default()));
    }
    // A clean stop and a start later it is still right.
    let project = crate::kill::again(project, World::restart);
    kept(check(&project, &expected, "after a restart", patience(BACK)).map(|()| Report::default()));
}

#[test]
fn entries_stored_during_a_rebuild_are_found() {
    let project = filled(&[]);
    fs::remove_dir_all(folder(&project)).unwrap();
    for number in 0..20 {
        let entry = json!({"timestamp": now(), "level": "warn", "message": format!("meanwhile {number}")});
        let body = project.with_key(&json!({"logs": [entry]}));
        project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
        std::thread::sleep(Duration::from_millis(50));
    }
    let path = project.path("/logs");
    within(patience(BACK), "all to be found", || {
        let answer = project.owner.get(&path).send();
        (answer.status() == 200 && answer.value()["total"] == ENTRIES + 20).then_some(())
    })
    .unwrap();
}

#[test]
fn an_index_is_rebuilt_at_some_time_also_if_something_always_arrives() {
    let project = filled(&[]);
    fs::remove_dir_all(folder(&project)).unwrap();
    let path = project.path("/logs");
    let mut last = Value::Null;
    let whole = within(patience(BACK), "a whole index", || {
        let entry = json!({"timestamp": now(), "level": "warn", "message": "meanwhile"});
        let body = project.with_key(&json!({"logs": [entry]}));
        project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
        let begun = project.world.server.output().contains("is being rebuilt");
        let answer = project.owner.get(&path).send();
        last = if answer.status() == 200 { answer.value() } else { Value::Null };
        let is_whole = last["rebuilding"] == false && last["total"].as_u64() >= Some(ENTRIES as u64);
        (begun && is_whole).then_some(())
    });
    let (total, rebuilding) = (&last["total"], &last["rebuilding"]);
    whole.unwrap_or_else(|error| panic!("{error}: {total} entries, rebuilding: {rebuilding}"));
}
