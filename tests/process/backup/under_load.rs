//! A backup that is made while events and logs arrive, restored elsewhere.

use super::{backup, done, restore, verify};
use crate::instance::{Instance, Target};
use crate::journal::{Journal, Load};
use crate::logs::stream::{Stream, now};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, sabotage, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::person::sign_in;
use crate::support::project::SCRIPT_URL;
use crate::support::{EMAIL, Form, PASSWORD, Project, Server, Value, World, json, maps};
use std::sync::Arc;
use std::time::Duration;

/// Until an event or an entry can be read.
const FOUND: Duration = Duration::from_secs(20);
/// The delay of each commit of `main.db` in the slow runs, so that much is accepted and not yet digested.
const SLOWLY: &str = "delay_enter=1500000";
/// Entries of the word that is searched for.
const ENTRIES: usize = 7;

/// The data before the load: a resolved event, entries with a word, and a replay with its recording.
struct Seed {
    event: Value,
    entries: Vec<Value>,
    replay: (String, Value),
}

fn seed(instance: &Instance, target: &Target) -> Result<Seed, String> {
    let ci = instance.world.bearer(&target.key);
    let form = Form::new().text("release", "1").text("url", SCRIPT_URL).file("sourcemap", maps::cart());
    ci.post("/api/v1/sourcemaps").form(&form).send().expect(201);
    let mut event = Project::throw(Some("1"));
    event["api_key"] = json!(target.key);
    let id =
        instance.world.anonymous().post("/api/v1/errors").json(&event).send().expect(202)["event_id"].clone();
    let entry =
        |number| json!({"timestamp": now(), "level": "info", "message": format!("needle number {number}")});
    let logs: Vec<Value> = (0..ENTRIES).map(entry).collect();
    let body = json!({"api_key": target.key, "logs": logs});
    instance.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    let id = id.as_str().unwrap();
    let millis = (now() * 1_000.0) as i64;
    let recorded = json!([{"type": 4, "timestamp": millis, "data": {"href": "https://shop.example/"}}]);
    let replay = json!({"api_key": target.key, "session_id": "s", "window_id": "w", "events": recorded,
        "start_timestamp": now(), "end_timestamp": now()});
    let replay = instance.world.anonymous().post("/api/v1/replays").json(&replay).send().expect(202);
    let replay = (replay["replay_id"].as_str().unwrap().to_owned(), recorded);
    recording_of(instance, target, &replay.0)?;
    Ok(Seed { replay, event: event_of(instance, target, id)?, entries: needles(instance, target)? })
}

fn event_of(instance: &Instance, target: &Target, id: &str) -> Result<Value, String> {
    let path = format!("/api/v1/events/{id}?project_id={}", target.id);
    within(patience(FOUND), "the event", || {
        let answer = instance.world.owner.get(&path).send();
        (answer.status() == 200).then(|| answer.value().clone())
    })
}

fn recording_of(instance: &Instance, target: &Target, id: &str) -> Result<Value, String> {
    let path = format!("/api/v1/replays/{id}/events?project_id={}", target.id);
    within(patience(FOUND), "the replay", || {
        let answer = instance.world.owner.get(&path).send();
        (answer.status() == 200).then(|| answer.value().clone())
    })
}

/// The entries that a search for the word finds, once there are as many as expected.
fn needles(instance: &Instance, target: &Target) -> Result<Vec<Value>, String> {
    let path = format!("/api/v1/projects/{}/logs?search=needle", target.id);
    within(patience(FOUND), "the entries", || {
        let answer = instance.world.owner.get(&path).send();
        let found = (answer.status() == 200).then(|| answer.value().clone())?;
        (found["total"] == ENTRIES).then(|| found["logs"].as_array().unwrap().clone())
    })
}

/// Makes a backup while the server is busy, restores it, and compares. `form` is the suffix of its name.
fn drill(form: &str, slowly: bool, environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let before = seed(&instance, &instance.targets[0])?;
    let (events, logs) = (Journal::default(), Stream::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("backup{form}"));
    let mut made = None;
    let strace = match slowly {
        true => Some(Strace::attach_to(&instance.world.server, &["write main"], SYNCS, SLOWLY)?),
        false => None,
    };
    let mut outcome = Ok(());
    events.stream(&instance, Load::MIXED, || {
        logs.run(&instance, || {
            let is_busy = || (events.acknowledged() > 300 && logs.acknowledged() > 300).then_some(());
            outcome = within(patience(FOUND), "some load", is_busy);
            let acknowledged = (events.acknowledged_names(), logs.acknowledged_names());
            made = Some((acknowledged, backup(instance.world.server.data_dir(), &path, &[])));
        });
    });
    outcome?;
    drop(strace);
    let ((known_events, known_logs), output) = made.expect("a backup");
    let text = done(&output);
    ensure(text.contains("is complete"), || text)?;
    done(&verify(&path));
    let data = tempfile::tempdir().unwrap();
    done(&restore(&path, data.path(), &[]));
    let restored = elsewhere(&instance, Server::start_in(data));
    let status = sign_in(&restored.world.anonymous(), EMAIL, PASSWORD).status();
    ensure(status == 200, || format!("signing in at the restored instance: {status}"))?;
    let target = &restored.targets[0];
    let event = event_of(&restored, target, before.event["event_id"].as_str().unwrap())?;
    ensure(event == before.event, || format!("the event differs: {event} instead of {}", before.event))?;
    let resolved = &event["exception"]["frames"][0]["resolved"]["function"];
    ensure(resolved == "total", || format!("the frame is not resolved: {event}"))?;
    let entries = needles(&restored, target)?;
    ensure(entries == before.entries, || format!("a search finds others: {entries:?}"))?;
    let (replay, recorded) = &before.replay;
    let recording = recording_of(&restored, target, replay)?;
    ensure(recording == *recorded, || format!("the recording differs: {recording}"))?;
    // A new event is resolved by the restored source map.
    let mut thrown = Project::throw(Some("1"));
    thrown["api_key"] = json!(target.key);
    let id = thrown["event_id"].as_str().unwrap().to_owned();
    restored.world.anonymous().post("/api/v1/errors").json(&thrown).send().expect(202);
    let resolved =
        event_of(&restored, target, &id)?["exception"]["frames"][0]["resolved"]["function"].clone();
    ensure(resolved == "total", || "the restored source map resolves nothing".to_owned())?;
    events.note_sent(0, &id);
    events.note_sent(0, before.event["event_id"].as_str().unwrap());
    let found = events.check_copy(&restored, &known_events)?;
    let entries = logs.check_copy(&restored, &known_logs)?;
    Ok(Report::default().with("events", found).with("entries", entries).with("form", path.display()))
}

/// The same people and projects at another server.
fn elsewhere(instance: &Instance, server: Server) -> Instance {
    let server = Arc::new(server);
    let world = World {
        owner: server.anonymous().bearer(&instance.world.owner_token),
        owner_token: instance.world.owner_token.clone(),
        owner_id: instance.world.owner_id,
        organization: instance.world.organization,
        server,
    };
    let target = |target: &Target| Target { id: target.id, key: target.key.clone() };
    Instance { world, targets: instance.targets.iter().map(target).collect() }
}

#[test]
fn events_acknowledged_before_a_backup_are_restored() {
    kept(drill("", false, &[]));
    kept(drill(".tar.zst", false, &[]));
}

#[test]
fn events_acknowledged_and_not_yet_digested_are_restored() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    for _ in 0..if is_soak() { 10 } else { 1 } {
        kept(drill("", true, &[]));
    }
    broken(drill("", true, &sabotage("snapshot_without_journal")), "acknowledged are lost");
}
