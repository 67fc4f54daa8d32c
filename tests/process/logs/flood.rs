//! Many clients post full batches without a pause, and one client opens a stream and does not read: memory stays
//! within its bound, acknowledged entries are found, and another project is served meanwhile.

use super::stream::now;
use crate::instance::{Instance, Target};
use crate::report::{
    Outcome, Random, Report, broken, ensure, is_soak, kept, p99, patience, sabotage, within,
};
use crate::resources::{peak, reset_peak};
use crate::support::connection::Connection;
use crate::support::{Client, Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 32;
/// Entries of a batch: the limit.
const BATCH: usize = 100;
/// KiB.
const MEMORY_MAX: u64 = 256 << 10;
/// How long the other project may wait.
const SERVED: Duration = Duration::from_secs(1);
/// How long the index may take for the accepted entries.
const FOUND: Duration = Duration::from_mins(5);

/// The kind of entries.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Entries as applications write them.
    Usual,
    /// Nearly as long as an entry may be.
    Large,
}

fn bodies(key: &str, kind: Kind, random: &mut Random) -> Vec<Vec<u8>> {
    let count = match kind {
        Kind::Usual => 64,
        Kind::Large => 1,
    };
    let mut entry = || -> Value {
        let (order, user) = (random.below(1 << 30), random.below(20_000));
        let pad = match kind {
            Kind::Usual => String::new(),
            Kind::Large => "x".repeat(60 << 10),
        };
        json!({"timestamp": now(), "level": "info", "logger_name": "shop.orders",
            "message": format!("order {order} of user {user} timed out after {} ms{pad}", random.below(5_000)),
            "trace_id": format!("{:016x}{:016x}", random.next(), random.next()),
            "span_id": format!("{:016x}", random.next()),
            "attributes": {"order_id": order, "region": "eu-west-1", "host": format!("web-{}", user % 12),
                "http": {"method": "GET", "status": 200 + user % 4 * 100}},
            "user": {"id": format!("u{user}"), "email": format!("user{user}@example.com")}})
    };
    let mut body = || {
        let logs: Vec<Value> = (0..BATCH).map(|_| entry()).collect();
        serde_json::to_vec(&json!({"api_key": key, "release": "shop@4.2.1", "logs": logs})).unwrap()
    };
    (0..count).map(|_| body()).collect()
}

/// The clients of one project that is flooded.
pub(crate) struct Flood<'a> {
    target: &'a Target,
    bodies: Vec<Vec<u8>>,
    taken: AtomicUsize,
    come_again: AtomicUsize,
    /// The first answer that is neither.
    wrong: Mutex<Option<String>>,
}

impl<'a> Flood<'a> {
    pub(crate) fn new(target: &'a Target, kind: Kind, random: &mut Random) -> Self {
        let (taken, come_again, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(None));
        Self { target, bodies: bodies(&target.key, kind, random), taken, come_again, wrong }
    }

    pub(crate) fn send(&self, client: &Client, number: usize, stop: &AtomicBool) {
        let mut connection = Connection::new(client);
        for body in self.bodies.iter().cycle().skip(number) {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let request = client.post("/api/v1/logs/batch").body("application/json", body.as_slice());
            match request.send_on(&mut connection) {
                Ok(answer) if answer.status() == 202 && answer.value()["accepted"] == BATCH => {
                    self.taken.fetch_add(1, Ordering::Relaxed);
                }
                Ok(answer) if answer.status() == 503 && answer.header("retry-after").is_some() => {
                    self.come_again.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(20));
                }
                other => {
                    let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                    wrong.get_or_insert(format!("{other:?}"));
                    return;
                }
            }
        }
    }

    pub(crate) fn wrong(&self) -> Option<String> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed) * BATCH
    }
}

/// How long each small batch of a quiet project takes.
fn quiet(client: &Client, target: &Target, time: Duration) -> Result<Vec<Duration>, String> {
    let mut connection = Connection::new(client);
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < time {
        let asked = Instant::now();
        let entry = json!({"timestamp": now(), "level": "info", "message": "of a quiet project"});
        let body = json!({"api_key": target.key, "logs": [entry]});
        let answer = client.post("/api/v1/logs/batch").json(&body).send_on(&mut connection);
        let answer = answer.map_err(|error| format!("a quiet project: no answer: {error}"))?;
        ensure(answer.status() == 202, || format!("a quiet project: {answer:?}"))?;
        times.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(times)
}

fn flood(kind: Kind, seconds: u64, environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let (client, [first, second, other]) = (instance.world.anonymous(), instance.targets.as_slice()) else {
        return Err("too few projects".to_owned());
    };
    let mut random = Random::seeded();
    let floods = [first, second].map(|target| Flood::new(target, kind, &mut random));
    let tail = instance.world.owner.get(&format!("/api/v1/projects/{}/logs/tail", first.id));
    let watcher = tail.open().map_err(|error| format!("nobody can watch: {error}"))?;
    reset_peak(&instance.world.server);
    let stop = AtomicBool::new(false);
    let times = std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (flood, client, stop) = (&floods[number % 2], &client, &stop);
            scope.spawn(move || flood.send(client, number, stop));
        }
        let times = quiet(&client, other, Duration::from_secs(seconds));
        stop.store(true, Ordering::Relaxed);
        times
    });
    let within_bound = || {
        let memory = peak(&instance.world.server);
        ensure(memory < MEMORY_MAX, || format!("{memory} KiB of memory"))
    };
    within_bound()?;
    let times = times?;
    for flood in &floods {
        ensure(flood.wrong().is_none(), || format!("neither 202 nor 503: {:?}", flood.wrong()))?;
        ensure(flood.taken() > 0, || "no batch was taken".to_owned())?;
        all_found(&instance, flood)?;
    }
    // The index has caught up.
    within_bound()?;
    drop(watcher);
    let waited = p99(&times);
    ensure(waited < patience(SERVED), || format!("another project waits {waited:?}"))?;
    let come_again: usize = floods.iter().map(|flood| flood.come_again.load(Ordering::Relaxed)).sum();
    let taken: usize = floods.iter().map(Flood::taken).sum();
    let report = Report::default().with("entries/s", taken / seconds as usize).with("come again", come_again);
    let report = report.with("another project ms", waited.as_millis());
    Ok(report.with("peak KiB", peak(&instance.world.server)))
}

/// Every acknowledged entry is counted once.
pub(crate) fn all_found(instance: &Instance, flood: &Flood<'_>) -> Result<(), String> {
    let path = format!("/api/v1/projects/{}/logs?limit=1", flood.target.id);
    let total = || {
        let answer = instance.world.owner.get(&path).try_send().ok()?;
        (answer.status() == 200).then(|| answer.value()["total"].as_u64())?
    };
    let taken = flood.taken() as u64;
    within(patience(FOUND), "what was accepted to be found", || total().filter(|total| *total >= taken))?;
    ensure(total().is_none_or(|total| total == taken), || format!("{:?} are found of {taken}", total()))
}

#[test]
fn full_batches_of_many_clients_stay_within_the_memory() {
    kept(flood(Kind::Usual, if is_soak() { 30 } else { 6 }, &[]));
}

#[test]
fn batches_of_long_entries_stay_within_the_memory() {
    kept(flood(Kind::Large, if is_soak() { 30 } else { 6 }, &[]));
}

#[test]
fn a_server_that_accepts_a_whole_flood_at_once_is_noticed() {
    broken(flood(Kind::Large, 4, &sabotage("endless_room")), "KiB of memory");
}
