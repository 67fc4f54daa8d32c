//! One project sends ten times its rate; the others must not be affected.

use crate::instance::{Instance, Target};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, p99};
use crate::resources::{peak, reset_peak};
use crate::support::connection::Connection;
use crate::support::{Client, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Events a second of a project.
const RATE: u64 = 100;
const FLOOD: u64 = 10 * RATE;
const CONNECTIONS: u64 = 500;
/// Events a second of the project that is measured.
const OTHER: u64 = 40;
/// KiB.
const MEMORY_MAX: u64 = 512 << 10;
/// Below this a p99 is noise: the same cores serve 500 clients.
const NOTICEABLE: Duration = Duration::from_millis(300);

#[derive(Default)]
struct Flood {
    taken: AtomicU64,
    refused: AtomicU64,
    wrong: AtomicU64,
}

impl Flood {
    /// Sends on one connection at its part of the whole rate until `stop`.
    fn send(&self, client: &Client, target: &Target, number: u64, stop: &AtomicBool) {
        let mut connection = Connection::new(client);
        let each = Duration::from_secs(CONNECTIONS) / u32::try_from(FLOOD).unwrap();
        // Spread over the second.
        std::thread::sleep(each * u32::try_from(number).unwrap() / u32::try_from(CONNECTIONS).unwrap());
        let start = Instant::now();
        for nth in 1.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let event =
                json!({"api_key": target.key, "message": "too many", "extra": {"pad": "x".repeat(300)}});
            let answer = client.post("/api/v1/errors").json(&event).send_on(&mut connection);
            let count = match answer {
                Ok(answer) if answer.status() == 202 => &self.taken,
                Ok(answer) if answer.status() == 429 && answer.header("retry-after").is_some() => {
                    &self.refused
                }
                _ => &self.wrong,
            };
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep((each * nth).saturating_sub(start.elapsed()));
        }
    }
}

/// How long each event of a quiet project takes.
fn quiet(client: &Client, target: &Target, time: Duration) -> Result<Vec<Duration>, String> {
    let mut connection = Connection::new(client);
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < time {
        let asked = Instant::now();
        let event = json!({"api_key": target.key, "message": "of a quiet project"});
        let answer = client.post("/api/v1/errors").json(&event).send_on(&mut connection);
        let answer = answer.map_err(|error| format!("a quiet project: no answer: {error}"))?;
        ensure(answer.status() == 202, || format!("a quiet project: {answer:?}"))?;
        times.push(asked.elapsed());
        std::thread::sleep((Duration::from_secs(1) / OTHER as u32).saturating_sub(asked.elapsed()));
    }
    Ok(times)
}

fn flood(seconds: u64, environment: &[(&str, &str)]) -> Outcome {
    let rate = RATE.to_string();
    let variables = [&[("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", rate.as_str())], environment].concat();
    let instance = Instance::start_with(&variables);
    let (client, [flooding, other, ..]) = (instance.world.anonymous(), instance.targets.as_slice()) else {
        return Err("too few projects".to_owned());
    };
    let time = Duration::from_secs(seconds);
    let alone = p99(&quiet(&client, other, time.min(Duration::from_secs(10)))?);
    reset_peak(&instance.world.server);
    let (counts, stop, start) = (Flood::default(), AtomicBool::new(false), Instant::now());
    let times = std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (counts, stop, client) = (&counts, &stop, &client);
            scope.spawn(move || counts.send(client, flooding, number, stop));
        }
        let times = quiet(&client, other, time);
        stop.store(true, Ordering::Relaxed);
        times
    })?;
    let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let (taken, refused, wrong) = (of(&counts.taken), of(&counts.refused), of(&counts.wrong));
    ensure(wrong == 0, || format!("{wrong} answers were neither 202 nor 429 with Retry-After"))?;
    let may = RATE * (start.elapsed().as_secs() + 1) + RATE;
    ensure(taken <= may, || format!("{taken} events were taken, at most {may} may be"))?;
    ensure(refused > taken, || format!("only {refused} were refused and {taken} taken: no flood"))?;
    let (beside, memory) = (p99(&times), peak(&instance.world.server));
    // A short run shares its machine: all it can show is that the other project is served.
    ensure(!is_soak() || beside < (2 * alone).max(NOTICEABLE), || {
        format!("another project waits {beside:?}, alone {alone:?}")
    })?;
    ensure(memory < MEMORY_MAX, || format!("{memory} KiB of memory"))?;
    let report = Report::default().with("taken", taken).with("refused", refused).with("peak KiB", memory);
    Ok(report.with("p99 alone", format!("{alone:?}")).with("beside", format!("{beside:?}")))
}

#[test]
fn a_flood_of_one_project_is_refused_and_the_others_do_not_notice() {
    kept(flood(if is_soak() { 60 } else { 5 }, &[]));
}

#[test]
fn a_server_without_a_rate_limit_is_noticed() {
    broken(flood(2, &[("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "0")]), "events were taken");
}
