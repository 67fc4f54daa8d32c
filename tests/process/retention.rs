//! kill -9 during retention: everything that is found can be read, the next start removes the rest, and data within
//! the limits stays. And a full disk, on which retention frees space.

use crate::disk_full::Ballast;
use crate::kill::again;
use crate::report::{
    Outcome, Random, Report, broken, ensure, is_soak, kept, patience, sabotage, skipped, within,
};
use crate::room::noise;
use crate::support::disk::can_mount;
use crate::support::{Project, Server, Value, World, json};
use rustix::process::Signal;
use std::sync::Arc;
use std::time::Duration;

const DAY: i64 = 86_400_000;
/// Events and batches of each of the two times: before and within the limit.
const EACH: usize = 1_500;
/// How long retention may take without further kills.
const REMOVED: Duration = Duration::from_secs(60);

/// Data of two times; then the server is killed again and again while it removes the older half.
fn kills(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let mut random = Random::seeded();
    let clock = tempfile::NamedTempFile::new().unwrap();
    let moved = ("MAYDAY_CLOCK_OFFSET", clock.path().to_str().unwrap());
    let first = [&[moved], environment].concat();
    let project = Project::in_world(Arc::new(World::new(Server::start_with(&first))), "Shop");
    send(&project, "old", EACH)?;
    std::fs::write(clock.path(), (3 * DAY).to_string()).unwrap();
    send(&project, "new", 2 * EACH)?;
    let days = [("SERVICE_RETENTION_EVENTS_DAYS", "1"), ("SERVICE_RETENTION_LOGS_DAYS", "1")];
    let limited = [&first[..], &days].concat();
    let mut project = again(project, |world| world.restart_with(&limited));
    let mut halfway = 0;
    for _ in 0..count {
        // Somewhere between the first piece and the last one.
        std::thread::sleep(Duration::from_millis(random.below(150) as u64));
        project.world.server.signal(Signal::KILL);
        project = again(project, World::kill_and_restart);
        let left = readable(&project)?;
        halfway += usize::from(left > EACH && left < 2 * EACH);
    }
    within(patience(REMOVED), "the rest of the events to go", || {
        (held(&project, "events") == EACH).then_some(())
    })?;
    within(patience(REMOVED), "the rest of the entries to go", || {
        (held(&project, "logs") == EACH).then_some(())
    })?;
    within(patience(REMOVED), "an index of the rest", || (found(&project, "old") == Some(0)).then_some(()))?;
    ensure(found(&project, "new") == Some(EACH), || format!("{:?} newer entries", found(&project, "new")))?;
    readable(&project)?;
    Ok(Report::default().with("kills", count).with("halfway", halfway))
}

/// Sends events and batches of one entry each, and waits until they can be found; so many events in total.
fn send(project: &Project, word: &str, events: usize) -> Result<(), String> {
    let anonymous = project.world.anonymous();
    for _ in 0..EACH / 100 {
        let event = |number: usize| {
            // Some stacks leave with the older events, one is thrown at both times.
            let place = if number.is_multiple_of(3) { word } else { "both" };
            let stack = format!("E: x\n    at {place} (https://shop.example/{place}.js:1:1)");
            let exception = json!({"type": "E", "message": "x", "stack": stack});
            project.with_key(&json!({"fingerprint": ["one"], "exception": exception}))
        };
        let batch: Vec<Value> = (0..100).map(event).collect();
        anonymous.post("/api/v1/errors/batch").json(&json!(batch)).send().expect(202);
        for _ in 0..100 {
            let entry = json!({"timestamp": 1_795_000_000, "level": "info", "message": word});
            let body = json!({"api_key": project.key, "logs": [entry]});
            anonymous.post("/api/v1/logs/batch").json(&body).send().expect(202);
        }
    }
    within(patience(REMOVED), "all entries", || (found(project, word) == Some(EACH)).then_some(()))?;
    within(patience(REMOVED), "all events", || (held(project, "events") == events).then_some(()))
}

/// The stored amount according to the counters.
fn held(project: &Project, kind: &str) -> usize {
    let answer = project.owner.get(&project.path("/usage")).send();
    if answer.status() != 200 {
        return usize::MAX;
    }
    let usage = answer.expect(200);
    let part = usage["kinds"].as_array().unwrap().iter().find(|part| part["kind"] == kind).unwrap();
    usize::try_from(part["count"].as_i64().unwrap()).unwrap()
}

/// How many entries a search finds; nothing while the index is opened.
fn found(project: &Project, word: &str) -> Option<usize> {
    let range = "start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z";
    let answer = project.owner.get(&project.path(&format!("/logs?search={word}&limit=100&{range}"))).send();
    if answer.status() != 200 {
        return None;
    }
    answer.expect(200)["total"].as_u64().map(|total| usize::try_from(total).unwrap())
}

/// Walks through all events of the issue: each has its frames. Returns how many there are.
fn readable(project: &Project) -> Result<usize, String> {
    let issue = project.issue();
    ensure(issue["event_count"] == 2 * EACH, || format!("the issue counts {}", issue["event_count"]))?;
    let path = project.issue_path(&issue);
    let (mut count, mut looked, mut before) = (0, 0, String::new());
    loop {
        let page = project.owner.get(&format!("{path}/events?limit=100{before}")).send();
        // The last event of the page before may be removed by now.
        if page.status() == 422 {
            break;
        }
        let page = page.expect(200);
        let events = page["events"].as_array().unwrap();
        count += events.len();
        // Two of each page, with their frames: both stacks of its time.
        for event in events.iter().rev().take(2) {
            let event =
                project.owner.get(&format!("{path}/event?id={}", event["event_id"].as_str().unwrap())).send();
            // The older ones may be removed by now.
            if event.status() == 200 {
                let event = event.expect(200);
                looked += 1;
                let frames = event["event"]["exception"]["frames"].as_array().map_or(0, Vec::len);
                ensure(frames == 1, || format!("an event without its frames: {event}"))?;
            }
        }
        let Some(next) = page["next"].as_str() else { break };
        before = format!("&before={next}");
    }
    ensure(count >= EACH, || format!("only {count} events are left"))?;
    ensure(looked >= EACH / 50, || format!("only {looked} events can be looked at"))?;
    Ok(count)
}

#[test]
fn retention_removes_data_completely_in_spite_of_kills() {
    kept(kills(if is_soak() { 40 } else { 6 }, &[]));
}

#[test]
fn stacks_that_are_removed_while_events_have_them_are_noticed() {
    broken(kills(4, &sabotage("remove_used_stacks")), "an event without its frames");
}

/// MiB of the disk, and how many have to stay free.
const DISK: u32 = 96;
const FLOOR: (&str, &str) = ("SERVICE_DISK_FLOOR_MB", "16");
/// KiB of an event that does not compress, and how many of them are sent.
const LARGE: usize = 900;
const FILLING: usize = 40;
/// How many of them the limit keeps.
const LEFT: usize = 3;

/// Fills a disk below its floor with events and something else, and then starts the server with a limit.
fn full_disk(environment: &[(&str, &str)]) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start_on_disk(DISK, &[FLOOR]))), "Shop");
    for number in 0..FILLING {
        let status = large(&project);
        ensure(status == 202, || format!("event {number} of {FILLING} is refused: {status}"))?;
    }
    within(patience(REMOVED), "the events", || (held(&project, "events") == FILLING).then_some(()))?;
    // It stays: only retention makes room.
    Ballast::leaving(&project.world.server, 12);
    // The server checks its disk only now and then.
    let mut taken = FILLING;
    within(patience(REMOVED), "events to be refused", || {
        let status = large(&project);
        taken += usize::from(status == 202);
        (status == 503).then_some(())
    })?;
    within(patience(REMOVED), "the last events", || (held(&project, "events") == taken).then_some(()))?;

    let count = LEFT.to_string();
    let limited = [&[FLOOR, ("SERVICE_RETENTION_EVENTS_COUNT", count.as_str())], environment].concat();
    let project = again(project, |world| world.restart_with(&limited));
    within(patience(REMOVED), "retention to remove events", || {
        (held(&project, "events") <= LEFT).then_some(())
    })?;
    within(patience(REMOVED), "events to be taken again", || (large(&project) == 202).then_some(()))?;
    within(patience(REMOVED), "the new event", || (held(&project, "events") == LEFT + 1).then_some(()))?;
    ensure(project.issue()["event_count"] == taken + 1, || format!("counted: {}", project.issue()))?;
    Ok(Report::default().with("events", taken))
}

fn large(project: &Project) -> u16 {
    let exception = json!({"type": "E", "message": "x", "stack": noise(LARGE << 10)});
    let event = project.with_key(&json!({"fingerprint": ["one"], "exception": exception}));
    project.world.anonymous().post("/api/v1/errors").json(&event).send().status()
}

#[test]
fn retention_frees_space_on_a_full_disk_and_events_are_accepted_again() {
    if can_mount() {
        kept(full_disk(&[]));
    } else {
        skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
}
