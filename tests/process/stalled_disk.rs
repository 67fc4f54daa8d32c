//! A disk that hardly responds: the requests that wait for it are bounded.

use crate::instance::Instance;
use crate::report::{Outcome, Random, Report, broken, ensure, is_soak, kept, sabotage, skipped};
use crate::resources::{allow_descriptors, peak, reset_peak, resident};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::{Value, json};
use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// More requests, each of about 48 KB that cannot be packed, than may wait; but not more connections than an address may
/// have.
const REQUESTS: usize = 1_000;
/// KiB: the requests that may wait, in all of their forms.
const MEMORY_MAX: u64 = 512 << 10;
/// Each sync: ten seconds, in µs.
const DELAY: &str = "delay_exit=10000000";
/// How long until the first is refused.
const REFUSED: Duration = Duration::from_mins(1);

fn stalled(environment: &[(&str, &str)]) -> Outcome {
    assert!(allow_descriptors() > REQUESTS as u64 + 200, "too few file descriptors for this test");
    let instance = Instance::start_with(environment);
    let server = &instance.world.server;
    let idle = resident(server);
    reset_peak(server);
    let strace = Strace::attach(server, SYNCS, DELAY)?;
    let mut random = Random::seeded();
    let (start, mut waiting, mut answers) = (Instant::now(), Vec::new(), Vec::new());
    for number in 0..REQUESTS {
        let target = &instance.targets[number % instance.targets.len()];
        let request =
            instance.world.anonymous().post("/api/v1/errors").json(&large(&target.key, &mut random));
        let stream = request.open().map_err(|error| error.to_string())?;
        stream.set_nonblocking(true).map_err(|error| error.to_string())?;
        waiting.push(stream);
        waiting.retain(|stream| answer(stream).map(|status| answers.push(status)).is_none());
    }
    while !answers.contains(&503) && start.elapsed() < REFUSED && !waiting.is_empty() {
        waiting.retain(|stream| answer(stream).map(|status| answers.push(status)).is_none());
        std::thread::sleep(Duration::from_millis(50));
    }
    let grown = peak(server).saturating_sub(idle);
    drop(strace);
    while !waiting.is_empty() {
        waiting.retain(|stream| answer(stream).map(|status| answers.push(status)).is_none());
        ensure(start.elapsed() < 4 * REFUSED, || format!("{} requests have no answer", waiting.len()))?;
        std::thread::sleep(Duration::from_millis(50));
    }
    let of = |status| answers.iter().filter(|answer| **answer == status).count();
    let (taken, refused) = (of(202), of(503));
    ensure(taken + refused == REQUESTS, || format!("other answers: {taken} taken, {refused} refused"))?;
    ensure(refused > 0, || format!("all of {taken} waited for the disk: the queue has no bound"))?;
    ensure(grown < MEMORY_MAX, || format!("{grown} KiB over idle"))?;
    let found = (0..3).map(|index| instance.found(&instance.targets[index]).map(|found| found.len()));
    let found: usize = found.sum::<Result<usize, String>>()?;
    ensure(found == taken, || format!("{taken} were taken, {found} are there"))?;
    Ok(Report::default().with("taken", taken).with("refused", refused).with("KiB over idle", grown))
}

/// An event with some 48 KB of noise in `extra`.
fn large(key: &str, random: &mut Random) -> Value {
    const SYMBOLS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_";
    let mut noise = || (0..7_000).map(|_| char::from(*random.of(SYMBOLS))).collect::<String>();
    let extra: Vec<String> = (0..8).map(|_| noise()).collect();
    json!({"api_key": key, "message": "large", "extra": {"noise": extra}})
}

/// The status, once it arrives.
fn answer(mut stream: &TcpStream) -> Option<u16> {
    let mut head = [0_u8; 1_024];
    match stream.read(&mut head) {
        Ok(read) => Some(
            String::from_utf8_lossy(&head[..read]).get(9..12).and_then(|code| code.parse().ok()).unwrap_or(0),
        ),
        Err(error) if error.kind() == ErrorKind::WouldBlock => None,
        Err(_) => Some(0),
    }
}

#[test]
fn requests_that_wait_for_a_stalled_disk_are_bounded() {
    match missing() {
        _ if !is_soak() => eprintln!("SKIPPED: part of make soak"),
        Some(why) => skipped(why),
        None => kept(stalled(&[])),
    }
}

#[test]
fn a_queue_without_a_bound_is_noticed() {
    match missing() {
        _ if !is_soak() => eprintln!("SKIPPED: part of make soak"),
        Some(why) => skipped(why),
        None => broken(stalled(&sabotage("unbounded_queue")), "the queue has no bound"),
    }
}
