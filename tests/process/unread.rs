//! Clients that send requests and do not read, and clients that send little and stay connected: others are served as
//! usual.

use crate::crowd::Idler;
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, p99, patience, sabotage, within};
use crate::resources::{allow_descriptors, descriptors, peak, reset_peak};
use crate::support::{Project, Server, World, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// KiB.
const MEMORY_MAX: u64 = 256 << 10;
/// How long a normal client may wait meanwhile.
const SERVED: Duration = Duration::from_secs(1);
/// How long the server keeps an unread answer.
const CLOSED: Duration = Duration::from_secs(30);
/// Simultaneous requests of one connection.
const PIPELINED: usize = 8;

/// The largest script of the Web app.
fn asset(server: &Server) -> String {
    let page = server.anonymous().get("/").send().text();
    let names = page.split('"').filter(|part| part.starts_with("/assets/") && part.ends_with(".js"));
    let length = |name: &&str| server.anonymous().get(name).send().bytes().len();
    names.max_by_key(length).expect("the page loads a script").to_owned()
}

/// How long a normal client waits, with `step` before each of its requests.
fn served(project: &Project, rounds: usize, mut step: impl FnMut()) -> Duration {
    let mut times = Vec::new();
    for _ in 0..rounds {
        step();
        let asked = Instant::now();
        project.accept(&json!({"message": "of a normal client"}));
        project.world.anonymous().get("/health").send().expect(200);
        times.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(200));
    }
    p99(&times)
}

fn start(count: usize, environment: &[(&str, &str)]) -> Project {
    assert!(allow_descriptors() > count as u64 + 200, "too few file descriptors for this test");
    Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Unread")
}

fn judge(project: &Project, waited: Duration) -> Outcome {
    let memory = peak(&project.world.server);
    ensure(waited < patience(SERVED), || format!("a normal client waited {waited:?}"))?;
    ensure(memory < MEMORY_MAX, || format!("{memory} KiB of memory"))?;
    Ok(Report::default().with("a normal client ms", waited.as_millis()).with("peak KiB", memory))
}

/// Connections that request a large file repeatedly and read nothing.
fn unread(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let project = start(count, environment);
    let server = &project.world.server;
    let head = format!("GET {} HTTP/1.1\r\nhost: x\r\n\r\n", asset(server)).repeat(PIPELINED);
    let before = descriptors(server);
    reset_peak(server);
    let crowd: Vec<_> =
        (0..count).map(|number| Idler::open(server, number, Some(2 << 10), &head, b"")).collect();
    let waited = served(&project, 20, || ());
    within(patience(CLOSED), "the unread connections to be closed", || {
        (descriptors(server) < before + 20).then_some(())
    })?;
    drop(crowd);
    judge(&project, waited)
}

/// Connections that send a small request now and then, more than there are places.
fn staying(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let project = start(count, environment);
    let server = &project.world.server;
    let head = "GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
    reset_peak(server);
    let crowd: Vec<Idler> =
        (0..count).filter_map(|number| Idler::open(server, number, None, head, b"").ok()).collect();
    let mut asked = 0;
    let waited = served(&project, 20, || {
        asked += crowd.iter().filter(|idler| idler.ask(head)).count();
    });
    let held = descriptors(server);
    ensure(held < 2_300, || format!("{held} descriptors are open"))?;
    Ok(judge(&project, waited)?.with("requests", asked).with("descriptors", held))
}

/// Connections that send their bodies byte by byte, more than there are places. Before each measurement some of the
/// disconnected ones connect again, so that every place is taken.
fn trickling(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let project = start(count, environment);
    let server = &project.world.server;
    let head = "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n ";
    let open = |number| Idler::open(server, number, None, head, b"").ok();
    reset_peak(server);
    let mut crowd: Vec<Option<Idler>> = (0..count).map(open).collect();
    let mut times = Vec::new();
    for _ in 0..20 {
        let mut ended: Vec<_> = (0..count).collect();
        ended.retain(|number| !crowd[*number].as_ref().is_some_and(|idler| idler.ask(" ")));
        for number in ended.iter().take(64) {
            crowd[*number] = open(*number);
            std::thread::sleep(Duration::from_millis(4));
        }
        let asked = Instant::now();
        let event = project.with_key(&json!({"message": "of a normal client"}));
        let answer = project.world.anonymous().post("/api/v1/errors").json(&event).try_send();
        let status = answer.map(|answer| answer.status()).map_err(|error| error.kind());
        ensure(status == Ok(202), || {
            format!("a normal client was turned away ({status:?}) beside {} bodies", count - ended.len())
        })?;
        times.push(asked.elapsed());
    }
    judge(&project, p99(&times))
}

#[test]
fn trickling_bodies_give_up_their_places_to_new_clients() {
    kept(trickling(2_400, &[]));
}

#[test]
fn trickling_bodies_that_keep_their_places_are_noticed() {
    broken(trickling(2_400, &sabotage("bodies_are_busy")), "a normal client was turned away");
}

#[test]
fn unread_answers_are_ended_and_delay_nobody() {
    kept(unread(2_400, &[]));
}

#[test]
fn idle_clients_give_up_their_places_to_new_ones() {
    kept(staying(2_400, &[]));
}

#[test]
fn a_server_that_waits_for_its_readers_for_ever_is_noticed() {
    if is_soak() {
        broken(unread(100, &sabotage("plain_serve")), "in vain for the unread connections");
    }
}

#[test]
fn a_server_that_accepts_any_number_of_connections_is_noticed() {
    broken(staying(2_400, &sabotage("plain_serve")), "descriptors are open");
}
