//! A machine with 256 MiB: under any load the server is not killed, and accepted events are there.

use crate::crowd::{Idler, connect};
use crate::instance::{Instance, Target};
use crate::journal::{Journal, Load, StopOnDrop};
use crate::logs::flood::{Flood, Kind, all_found};
use crate::report::{Outcome, Random, Report, broken, ensure, is_soak, kept, sabotage};
use crate::resources::{allow_descriptors, peak, reset_peak};
use crate::support::cgroup::Cgroup;
use crate::support::{Client, Form, Server, json, maps};
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const MEBIBYTES: u64 = 256;
/// Clients that send log entries, events, source maps.
const LOGS: usize = 16;
const EVENTS: Load = Load { connections: 16, batch: Some(50) };
const UPLOADS: usize = 3;
/// Connections of unknown clients: bodies that do not end, silent ones, and ones that do not read.
const UNFINISHED: usize = 120;
const IDLE: usize = 1_000;
const UNREAD: usize = 200;
/// Bytes of an unfinished body.
const BODY: usize = 7 << 20;

/// The server's control group, or the reason why this machine has none: the server bounds its own memory in any case.
fn group() -> Option<Arc<Cgroup>> {
    let group = Cgroup::new(MEBIBYTES).map(Arc::new);
    if let Err(why) = &group {
        eprintln!("SKIPPED the control group: {why}");
    }
    group.ok()
}

/// A source map of 5 MiB, as a large application has it.
fn source_map() -> serde_json::Value {
    let segments: Vec<(u32, u32, u32)> = (0..100_000).map(|nth| (nth * 9 + 1, nth / 4 + 1, 1)).collect();
    maps::map("src/large.ts", Some(&"let sum = 0;\n".repeat(350_000)), &segments)
}

#[derive(Default)]
struct Uploads {
    taken: AtomicUsize,
    come_again: AtomicUsize,
    sent: AtomicUsize,
}

impl Uploads {
    fn send(&self, client: &Client, target: &Target, stop: &AtomicBool) {
        let (client, mut map) = (client.bearer(&target.key), source_map());
        while !stop.load(Ordering::Relaxed) {
            let number = self.sent.fetch_add(1, Ordering::Relaxed);
            map["file"] = json!(format!("{number}.js"));
            let form = Form::new().text("release", "1").text("url", format!("~/{number}.js"));
            let upload = client.post("/api/v1/sourcemaps").form(&form.file("sourcemap", map.to_string()));
            match upload.try_send() {
                Ok(answer) if answer.status() == 201 => self.taken.fetch_add(1, Ordering::Relaxed),
                Ok(answer) if answer.status() == 503 => self.come_again.fetch_add(1, Ordering::Relaxed),
                // The oracle finds out.
                _ => 0,
            };
        }
    }

    /// Every upload that was answered with success is listed.
    fn check(&self, instance: &Instance, target: &Target) -> Result<(), String> {
        let path = format!("/api/v1/projects/{}/releases/1/sourcemaps?limit=1", target.id);
        let listed = instance.world.owner.get(&path).send().expect(200)["total"].as_u64().unwrap() as usize;
        let (taken, sent) = (self.taken.load(Ordering::Relaxed), self.sent.load(Ordering::Relaxed));
        ensure(taken > 0, || "no source map was taken".to_owned())?;
        ensure((taken..=sent).contains(&listed), || {
            format!("{listed} source maps of {taken} that were taken")
        })
    }
}

/// Unknown clients: held connections, and bodies that continue as long as the server reads.
struct Strangers {
    bodies: Vec<Idler>,
    _held: Vec<TcpStream>,
}

impl Strangers {
    fn come(server: &Server) -> Self {
        let body: &'static [u8] = vec![b'A'; BODY].leak();
        let head =
            format!("POST /api/v1/errors/batch HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", BODY + 1);
        let bodies = (0..UNFINISHED).filter_map(|number| Idler::open(server, number, None, &head, body).ok());
        let bodies = bodies.collect();
        let idle = (0..IDLE).filter_map(|number| connect(server, UNFINISHED + number, None).ok());
        let asset = "GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(8);
        let unread = (0..UNREAD).filter_map(|number| {
            let mut stream = connect(server, UNFINISHED + IDLE + number, Some(2 << 10)).ok()?;
            stream.write_all(asset.as_bytes()).ok()?;
            Some(stream)
        });
        Self { bodies, _held: idle.chain(unread).collect() }
    }
}

/// All of it together for so many seconds.
fn all_at_once(seconds: u64, environment: &[(&str, &str)]) -> Outcome {
    allow_descriptors();
    let group = group();
    let instance = Instance::of(Server::start_in_group(group.clone(), environment));
    let (server, client) = (&instance.world.server, instance.world.anonymous());
    let (journal, uploads, stop) = (Journal::default(), Uploads::default(), AtomicBool::new(false));
    let mut random = Random::seeded();
    let flood = Flood::new(&instance.targets[0], Kind::Usual, &mut random);
    reset_peak(server);
    journal.stream(&instance, EVENTS, || {
        std::thread::scope(|scope| {
            let _stop = StopOnDrop(&stop);
            for number in 0..LOGS {
                scope.spawn({
                    let (flood, client, stop) = (&flood, &client, &stop);
                    move || flood.send(client, number, stop)
                });
            }
            for _ in 0..UPLOADS {
                scope.spawn(|| uploads.send(&client, &instance.targets[1], &stop));
            }
            let mut strangers = Strangers::come(server);
            for _ in 0..seconds * 10 {
                strangers.bodies.iter_mut().for_each(Idler::send);
                std::thread::sleep(Duration::from_millis(100));
            }
        });
    });
    let kills = group.as_ref().map_or(0, |group| group.kills());
    ensure(kills == 0 && !server.has_ended(), || format!("the server was killed ({kills}) for its memory"))?;
    ensure(flood.wrong().is_none(), || format!("neither 202 nor 503: {:?}", flood.wrong()))?;
    all_found(&instance, &flood)?;
    uploads.check(&instance, &instance.targets[1])?;
    let events = journal.check(&instance)?;
    let memory = peak(server);
    ensure(memory < MEBIBYTES << 10, || format!("{memory} KiB of memory"))?;
    let report = Report::default().with("events", events).with("log entries", flood.taken());
    let report = report.with("source maps", uploads.taken.load(Ordering::Relaxed));
    let report = report.with("peak KiB", memory);
    Ok(match &group {
        Some(group) => report.with("of the group", group.peak()).with("killed", group.kills()),
        None => report.with("of the group", "not measured"),
    })
}

#[test]
fn a_small_machine_bears_everything_at_once() {
    kept(all_at_once(if is_soak() { 60 } else { 10 }, &[]));
}

#[test]
fn a_server_that_outgrows_a_small_machine_is_noticed() {
    broken(all_at_once(5, &sabotage("endless_room")), "memory");
}
