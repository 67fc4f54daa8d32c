//! Session replays: kill -9 while parts arrive, a file that cannot be synced, the largest number of parts, and several
//! of the largest replays at once.

use crate::report::{Outcome, Random, Report, broken, ensure, is_soak, kept, skipped};
use crate::resources::{peak, reset_peak};
use crate::strace::{Strace, missing};
use crate::support::{Project, Server, Value, World, eventually, json};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Clients that send at once, each its own replay.
const CLIENTS: i64 = 4;

/// Parts of a replay that were acknowledged, by the replay.
type Acknowledged = Mutex<BTreeMap<String, Vec<i64>>>;

fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
}

fn chunk(project: &Project, session: i64, index: i64) -> Value {
    let start = now();
    let mut chunk = json!({"session_id": session.to_string(), "window_id": "w", "chunk_index": index,
        "events": [{"type": 3, "timestamp": start, "data": {"part": index, "text": "x".repeat(2_000)}}]});
    if index == 0 {
        chunk["metadata"] = json!({"start_timestamp": start, "end_timestamp": start});
    }
    project.with_key(&chunk)
}

/// Sends parts one after the other, each twice, until the server is gone.
fn send(project: &Project, session: i64, acknowledged: &Acknowledged) {
    for index in 0.. {
        for _ in 0..2 {
            let request = project.world.anonymous().post("/api/v1/replays/chunk");
            let Ok(answer) = request.json(&chunk(project, session, index)).try_send() else { return };
            if answer.status() != 202 {
                return;
            }
            let id = answer.value()["replay_id"].as_str().unwrap().to_owned();
            let mut all = acknowledged.lock().unwrap();
            let parts = all.entry(id).or_default();
            if parts.last() != Some(&index) {
                parts.push(index);
            }
        }
    }
}

fn check(project: &Project, acknowledged: &Acknowledged) -> Result<usize, String> {
    let mut found = 0;
    for (id, parts) in acknowledged.lock().unwrap().iter() {
        let path = format!("/api/v1/replays/{id}/events?project_id={}", project.id);
        let mut read = Vec::new();
        for _ in 0..100 {
            let answer = project.owner.get(&path).send();
            let events = if answer.status() == 200 { answer.value() } else { json!([]) };
            read = events
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|event| event["data"]["part"].as_i64())
                .collect();
            if read.len() >= parts.len() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        // One more may be stored that was not answered.
        let lost: Vec<i64> = parts.iter().copied().filter(|part| !read.contains(part)).collect();
        ensure(lost.is_empty(), || format!("parts {lost:?} of {id} are lost"))?;
        ensure(read.windows(2).all(|pair| pair[0] < pair[1]), || {
            format!("not in order, or twice: {read:?}")
        })?;
        found += parts.len();
    }
    Ok(found)
}

/// With `slow_writes`, every write to a file is delayed, so that more kills hit between two steps.
fn kills(count: usize, slow_writes: bool, environment: &[(&str, &str)]) -> Outcome {
    let mut random = Random::seeded();
    let mut project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Replays");
    let (acknowledged, sessions) = (Acknowledged::default(), AtomicI64::new(0));
    for _ in 0..count {
        let before = acknowledged.lock().unwrap().values().map(Vec::len).sum::<usize>();
        let strace = match slow_writes {
            true => Some(Strace::attach(&project.world.server, "pwrite64", "delay_enter=10000")?),
            false => None,
        };
        std::thread::scope(|scope| {
            for _ in 0..CLIENTS {
                let session = sessions.fetch_add(1, Ordering::Relaxed);
                let (project, acknowledged) = (&project, &acknowledged);
                scope.spawn(move || send(project, session, acknowledged));
            }
            eventually("the first acknowledgements", || {
                let now = acknowledged.lock().unwrap().values().map(Vec::len).sum::<usize>();
                (now > before + 8).then_some(())
            });
            std::thread::sleep(Duration::from_millis(random.below(200) as u64));
            project.world.server.signal(Signal::KILL);
        });
        drop(strace);
        project = crate::kill::again(project, World::kill_and_restart);
    }
    let found = check(&project, &acknowledged)?;
    Ok(Report::default().with("kills", count).with("parts", found))
}

#[test]
fn acknowledged_parts_are_read_once_after_kills() {
    kept(kills(if is_soak() { 50 } else { 4 }, false, &[]));
}

#[test]
fn an_answer_before_the_record_is_written_is_noticed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    broken(kills(12, true, &[("MAYDAY_SABOTAGE", "answer_before_commit")]), "are lost");
}

/// The most parts of a replay.
const PARTS: i64 = 10_000;

/// Sends a replay in as many parts as there may be, from several clients, and reads it.
fn many_parts() -> Outcome {
    let unlimited = [("SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND", "0")];
    let project = Project::in_world(Arc::new(World::new(Server::start_with(&unlimited))), "Parts");
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let project = &project;
            scope.spawn(move || {
                for index in (client..PARTS).step_by(CLIENTS as usize) {
                    let mut part = chunk(project, 1, index);
                    part["events"] = json!([{"type": 3, "timestamp": now(), "data": {"part": index}}]);
                    part["total_chunks"] = json!(PARTS);
                    let request = project.world.anonymous().post("/api/v1/replays/chunk");
                    request.json(&part).send().expect(202);
                }
            });
        }
    });
    let listed = format!("/api/v1/projects/{}/replays", project.id);
    let replay = eventually("all parts", || {
        let replays = project.owner.get(&listed).send().expect(200);
        let [replay] = &replays["replays"].as_array().unwrap()[..] else { return None };
        (replay["chunks"] == PARTS).then(|| replay.clone())
    });
    ensure(replay["is_complete"] == true && replay["event_count"] == PARTS, || replay.to_string())?;
    let id = replay["replay_id"].as_str().unwrap();
    let events = project.owner.get(&format!("/api/v1/replays/{id}/events?project_id={}", project.id)).send();
    let events = events.expect(200);
    let read: Vec<i64> =
        events.as_array().unwrap().iter().filter_map(|event| event["data"]["part"].as_i64()).collect();
    ensure(read.iter().copied().eq(0..PARTS), || format!("{} parts are read, or out of order", read.len()))?;
    project.owner.delete(&format!("/api/v1/replays/{id}?project_id={}", project.id)).send().expect(204);
    Ok(Report::default().with("parts", read.len()))
}

/// Bytes of a replay, decompressed: slightly below the limit.
const LARGE: usize = 98 << 20;
/// KiB.
const MEMORY_MAX: u64 = 256 << 10;

/// A whole replay of that size, packed.
fn large(project: &Project, session: usize) -> Vec<u8> {
    let start = now();
    let event = |number: usize| {
        let text = format!("{number} ").repeat(300 << 10);
        json!({"type": 3, "timestamp": start, "data": {"source": 0, "text": text}}).to_string()
    };
    let head = json!({"session_id": session.to_string(), "window_id": "w", "start_timestamp": start,
        "end_timestamp": start, "api_key": project.key});
    let mut packed = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    let mut size = 0;
    let mut write = |text: &str| {
        size += text.len();
        packed.write_all(text.as_bytes()).unwrap();
        size
    };
    write(head.to_string().trim_end_matches('}'));
    write(",\"events\":[");
    for number in 10.. {
        let event = event(number);
        if write(&event) + event.len() > LARGE {
            break;
        }
        write(",");
    }
    write("]}");
    packed.finish().unwrap()
}

/// Sends so many of the largest replays at once, all in one project.
fn large_ones(count: usize) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Large");
    let bodies: Vec<Vec<u8>> = (0..count).map(|session| large(&project, session)).collect();
    reset_peak(&project.world.server);
    let (taken, later) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for body in &bodies {
            let request =
                project.world.anonymous().post("/api/v1/replays").header("content-encoding", "zstd");
            scope.spawn(|| match request.body("application/json", body.as_slice()).send().status() {
                202 => taken.fetch_add(1, Ordering::Relaxed),
                503 => later.fetch_add(1, Ordering::Relaxed),
                other => panic!("{other}"),
            });
        }
        // Nothing of it holds up an error.
        project.digest(&json!({"message": "meanwhile"}));
    });
    let (taken, later) = (taken.into_inner(), later.into_inner());
    ensure(taken > 0, || "none was taken".to_owned())?;
    let memory = peak(&project.world.server);
    ensure(memory < MEMORY_MAX, || format!("{memory} KiB of memory"))?;
    let listed = format!("/api/v1/projects/{}/replays", project.id);
    eventually("those that were taken", || {
        (project.owner.get(&listed).send().expect(200)["total"] == taken).then_some(())
    });
    Ok(Report::default().with("taken", taken).with("told to come again", later).with("peak KiB", memory))
}

#[test]
fn ten_thousand_parts_of_one_event_are_one_replay() {
    kept(many_parts());
}

#[test]
fn the_largest_replays_at_once_stay_within_memory() {
    kept(large_ones(if is_soak() { 16 } else { 6 }));
}

/// The files of replays.
fn files(project: &Project) -> Vec<PathBuf> {
    let folder = project.world.server.data_dir().join("replays");
    let of = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_full = |path: &PathBuf| path.is_dir() && !path.ends_with("tmp");
    of(folder).filter(is_full).flat_map(of).collect()
}

/// Spoils the file of the second of three parts, which must be a gap then, and reads the others.
fn spoiled(why: &str, spoil: impl Fn(&Path)) -> Value {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Spoiled");
    let send = |index| {
        let mut part = chunk(&project, 1, index);
        part["total_chunks"] = json!(3);
        let answer = project.world.anonymous().post("/api/v1/replays/chunk").json(&part).send().expect(202);
        answer["replay_id"].as_str().unwrap().to_owned()
    };
    let file_of = |index| {
        let before = files(&project);
        send(index);
        eventually("its file", || files(&project).into_iter().find(|path| !before.contains(path)))
    };
    let id = send(0);
    eventually("the first file", || (files(&project).len() == 1).then_some(()));
    let file = file_of(1);
    file_of(2);
    let read = |rest: &str| project.owner.get(&format!("/api/v1/replays/{id}{rest}")).send();
    let whole = |replay: &Value| replay["is_complete"] == true;
    eventually("all parts", || (read("").status() == 200).then(|| read("").value()).filter(whole));
    spoil(&file);
    let events = read("/events").expect(200);
    let gap = json!({"from_chunk": 1, "to_chunk": 1, "why": why});
    assert_eq!(events[1]["data"], json!({"tag": "mayday.gap", "payload": gap}), "{events}");
    assert_eq!((&events[0]["data"]["part"], &events[2]["data"]["part"]), (&json!(0), &json!(2)));
    assert_eq!(events.as_array().unwrap().len(), 3);
    let rest = read("/events?from_chunk=1").expect(200);
    assert_eq!((&rest[0]["data"], rest.as_array().unwrap().len()), (&events[1]["data"], 2), "{rest}");
    read("").expect(200)
}

#[test]
fn a_part_without_its_file_is_a_gap_and_the_rest_is_read() {
    let replay = spoiled("file_missing", |file| std::fs::remove_file(file).unwrap());
    assert_eq!((&replay["is_complete"], &replay["missing_chunks"]), (&json!(false), &json!([1])), "{replay}");
    assert_eq!(replay["is_live"], false, "nothing of it is still to come");
}

/// Spoils a file so that it is damaged. That it is shows only where it is read; then it counts as missing.
fn damaged(spoil: impl Fn(&Path)) {
    let replay = spoiled("file_damaged", spoil);
    assert_eq!((&replay["is_complete"], &replay["missing_chunks"]), (&json!(false), &json!([1])), "{replay}");
}

#[test]
fn a_part_whose_file_is_cut_off_is_a_gap_and_the_rest_is_read() {
    damaged(|file| {
        let length = std::fs::metadata(file).unwrap().len();
        std::fs::File::options().write(true).open(file).unwrap().set_len(length / 2).unwrap();
    });
    damaged(|file| std::fs::write(file, "").unwrap());
}

#[test]
fn a_part_whose_file_has_a_changed_bit_is_a_gap_and_the_rest_is_read() {
    for from_end in [1, 20] {
        damaged(|file| {
            let mut bytes = std::fs::read(file).unwrap();
            let at = bytes.len() - from_end;
            bytes[at] ^= 1;
            std::fs::write(file, bytes).unwrap();
        });
    }
}

/// Lets the sync of the file of a part fail, and sends the part again once the disk is well.
fn failed_sync() -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Broken");
    let send = |index| {
        project.world.anonymous().post("/api/v1/replays/chunk").json(&chunk(&project, 1, index)).send()
    };
    let id = send(0).expect(202)["replay_id"].as_str().unwrap().to_owned();
    let read = |rest: &str| project.owner.get(&format!("/api/v1/replays/{id}{rest}")).send();
    let arrived = |chunks: i64| {
        let replay = |answer: Value| (answer["chunks"] == chunks).then_some(answer);
        eventually("the part", || {
            Some(read("")).filter(|it| it.status() == 200).and_then(|it| replay(it.value()))
        })
    };
    arrived(1);
    let before = files(&project);
    // The databases and the journal are synced by `fdatasync`.
    let strace = Strace::attach(&project.world.server, "fsync", "error=EIO")?;
    let refused = send(1);
    drop(strace);
    refused.refuse(503, "nothing was stored");
    ensure(refused.header("retry-after").is_some(), || "it does not say when to try again".to_owned())?;
    ensure(!project.world.server.has_ended(), || {
        "the process ended, though only a new file is lost".to_owned()
    })?;
    ensure(files(&project) == before, || format!("{:?} are kept", files(&project)))?;
    let unfinished = project.world.server.data_dir().join("replays/tmp").read_dir().unwrap().count();
    ensure(unfinished == 0, || format!("{unfinished} unfinished files are kept"))?;
    send(2).expect(202);
    let replay = arrived(2);
    ensure(replay["event_count"] == 2, || format!("the refused part counts: {replay}"))?;
    send(1).expect(202);
    let replay = arrived(3);
    ensure(replay["event_count"] == 3 && replay["missing_chunks"] == json!([]), || replay.to_string())?;
    let events = read("/events").expect(200);
    let parts: Vec<i64> =
        events.as_array().unwrap().iter().filter_map(|event| event["data"]["part"].as_i64()).collect();
    ensure(parts == [0, 1, 2], || format!("{events}"))?;
    Ok(Report::default().with("parts", parts.len()))
}

#[test]
fn a_part_whose_file_cannot_be_synced_is_refused_and_taken_when_it_comes_again() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(failed_sync()),
    }
}
