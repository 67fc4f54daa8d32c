//! Bodies in flight, from unknown clients and from projects: memory stays within its bounds, and a project is served
//! whatever unknown clients send.

use crate::crowd::Idler;
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, p99, patience, sabotage};
use crate::resources::{allow_descriptors, peak, reset_peak};
use crate::support::{Project, Server, World, json};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const JSON: &str = "application/json";
/// KiB.
const MEMORY_MAX: u64 = 256 << 10;
/// How long an event of a project may take meanwhile.
const SERVED: Duration = Duration::from_secs(1);
/// Bytes of a body: slightly below the limit.
const LARGE: usize = (8 << 20) - (100 << 10);

fn start(environment: &[(&str, &str)]) -> Project {
    allow_descriptors();
    Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Bodies")
}

/// A text that lives as long as the tests.
fn filler(beginning: &[u8]) -> &'static [u8] {
    [beginning, &vec![b'A'; LARGE]].concat().leak()
}

/// How long an event of the project takes, every fifth one being large, while the crowd sends as fast as the server
/// reads.
fn served(project: &Project, crowd: &mut [Idler]) -> Duration {
    let large = "x".repeat(200 << 10);
    let mut times = Vec::new();
    for round in 0..20 {
        crowd.iter_mut().for_each(Idler::send);
        let asked = Instant::now();
        let extra = if round % 5 == 0 { large.as_str() } else { "small" };
        project.accept(&json!({"message": "of a project", "extra": {"pad": extra}}));
        times.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
    p99(&times)
}

fn judge(project: &Project, waited: Duration) -> Outcome {
    let memory = peak(&project.world.server);
    ensure(memory < MEMORY_MAX, || format!("{memory} KiB of memory"))?;
    ensure(waited < patience(SERVED), || format!("an event of a project took {waited:?}"))?;
    Ok(Report::default().with("an event of a project ms", waited.as_millis()).with("peak KiB", memory))
}

/// Batches whose bodies do not end; with a valid key of another project if `known`, else with an unknown one.
fn unfinished(count: usize, known: bool, environment: &[(&str, &str)]) -> Outcome {
    let project = start(environment);
    let other = Project::in_world(project.world.clone(), "Other");
    let key = if known { &other.key } else { "pk_none" };
    let path = if known { "/api/v1/logs/batch" } else { "/api/v1/errors/batch" };
    let body = filler(format!("{{\"api_key\":\"{key}\",\"logs\":[\"").as_bytes());
    let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len() + 1);
    reset_peak(&project.world.server);
    let open = |number| Idler::open(&project.world.server, number, None, &head, body).unwrap();
    let mut crowd: Vec<Idler> = (0..count).map(open).collect();
    let waited = served(&project, &mut crowd);
    judge(&project, waited)
}

/// Requests with endless headers.
fn endless_heads(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let project = start(environment);
    reset_peak(&project.world.server);
    let (body, head) = (filler(b""), "GET /health HTTP/1.1\r\nhost: x\r\nx-endless: ");
    let body = &body[..390 << 10];
    let open = |number| Idler::open(&project.world.server, number, None, head, body).unwrap();
    let mut crowd: Vec<Idler> = (0..count).map(open).collect();
    let waited = served(&project, &mut crowd);
    judge(&project, waited)
}

/// A batch of log entries, nearly as large as it may be.
fn batch(key: &str) -> Vec<u8> {
    let entry = json!({"timestamp": 1_700_000_000_000_u64, "level": "info", "message": "x".repeat(60 << 10)});
    let entries = vec![entry; 100];
    serde_json::to_vec(&json!({"api_key": key, "logs": entries})).unwrap()
}

/// Complete batches of one project, all at once.
fn whole(count: usize) -> Outcome {
    let project = start(&[]);
    let body = batch(&project.key);
    let client = project.world.anonymous();
    reset_peak(&project.world.server);
    let (taken, later) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                match client.post("/api/v1/logs/batch").body(JSON, body.as_slice()).send().status() {
                    202 => taken.fetch_add(1, Ordering::Relaxed),
                    503 => later.fetch_add(1, Ordering::Relaxed),
                    other => panic!("{other}"),
                }
            });
        }
    });
    let (taken, later) = (taken.into_inner(), later.into_inner());
    ensure(taken > 0, || "no batch was taken".to_owned())?;
    Ok(judge(&project, Duration::ZERO)?.with("taken", taken).with("told to come again", later))
}

/// Little that decompresses to much, of strangers, while a project sends batches.
fn bombs(senders: usize) -> Outcome {
    let project = start(&[]);
    let client = project.world.anonymous();
    let plain =
        [b"[{\"api_key\":\"pk_none\",\"message\":\"".as_slice(), &b"\\u0041".repeat(LARGE / 6)].concat();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&plain).unwrap();
    let bomb = encoder.finish().unwrap();
    let event =
        json!({"api_key": project.key, "message": "of a project", "extra": {"pad": "x".repeat(8 << 10)}});
    let events = serde_json::to_vec(&vec![event; 20]).unwrap();
    let (stop, thrown) = (AtomicBool::new(false), AtomicUsize::new(0));
    reset_peak(&project.world.server);
    let times = std::thread::scope(|scope| {
        for _ in 0..senders {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let request = client.post("/api/v1/errors/batch").header("content-encoding", "gzip");
                    let status = request.body(JSON, bomb.as_slice()).send().status();
                    assert!([400, 401, 503].contains(&status), "{status}");
                    thrown.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let batch = |_| {
            let asked = Instant::now();
            client.post("/api/v1/errors/batch").body(JSON, events.as_slice()).send().expect(202);
            asked.elapsed()
        };
        let times: Vec<Duration> = (0..30).map(batch).collect();
        stop.store(true, Ordering::Relaxed);
        times
    });
    let thrown = thrown.into_inner();
    ensure(thrown > 0, || "no bomb was thrown".to_owned())?;
    Ok(judge(&project, p99(&times))?.with("bombs", thrown))
}

#[test]
fn large_bodies_of_strangers_wait_outside_of_memory() {
    kept(unfinished(250, false, &[]));
}

#[test]
fn large_bodies_with_known_keys_wait_outside_of_memory() {
    kept(unfinished(100, true, &[]));
}

#[test]
fn heads_without_end_are_cut_off() {
    kept(endless_heads(1_000, &[]));
}

#[test]
fn complete_batches_are_processed_in_turns() {
    kept(whole(if is_soak() { 120 } else { 40 }));
}

#[test]
fn bombs_of_unknown_clients_do_not_take_the_places_of_projects() {
    kept(bombs(16));
}

#[test]
fn a_server_without_bounds_for_bodies_is_noticed() {
    broken(unfinished(60, false, &sabotage("endless_room")), "KiB of memory");
}
