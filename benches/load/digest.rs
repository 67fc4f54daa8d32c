//! Digest: until events are readable.

use crate::client::Connection;
use crate::drive::{Load, closed, open, percentile};
use crate::instance::Instance;
use crate::process::cpu_seconds;
use crate::report::{Report, median, table};
use crate::{Plan, Result};
use std::cell::RefCell;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 64;
const PACE: u32 = 1_000;
/// Between two probes, and between two looks at the issue list.
const PROBE_EVERY: Duration = Duration::from_millis(20);
const LOOK_EVERY: Duration = Duration::from_millis(4);
const VISIBLE_MAX: Duration = Duration::from_secs(30);

/// One burst, from its first request until its last event is readable.
struct Burst {
    events: f64,
    seconds: f64,
    /// Events a second after the last answer, with nothing else to do.
    alone: f64,
    server: f64,
    generator: f64,
}

async fn burst(instance: &mut Instance, events: u64) -> Result<Burst> {
    instance.cpu()?;
    let before = cpu_seconds(0)?;
    let seen = instance.visible().await?.0;
    let started = Instant::now();
    let load = Load { connections: CONNECTIONS, time: Duration::from_secs(8), requests: events };
    let (address, pool) = (instance.server.address, instance.pool.clone());
    let outcome = closed(address, &pool, load).await;
    let answered = Instant::now();
    let generator = cpu_seconds(0)? - before;
    instance.accepted += outcome.accepted();
    let left = (seen + outcome.accepted()).saturating_sub(instance.visible().await?.0);
    let readable = instance.readable().await?;
    Ok(Burst {
        events: outcome.accepted() as f64,
        seconds: readable.duration_since(started).as_secs_f64(),
        alone: left as f64 / readable.duration_since(answered).as_secs_f64(),
        server: instance.cpu()?,
        generator,
    })
}

/// Bursts, then the delay at a steady pace.
pub(crate) async fn measure(instance: &mut Instance, plan: &Plan, report: &mut Report) -> Result<()> {
    let mut bursts = Vec::new();
    for _ in 0..plan.rounds {
        bursts.push(burst(instance, plan.burst).await?);
    }
    let middle = |figure: &dyn Fn(&Burst) -> f64| median(bursts.iter().map(figure).collect());
    let rate = middle(&|burst| burst.events / burst.seconds);
    let alone = middle(&|burst| burst.alone);
    let cpu = middle(&|burst| burst.server / burst.events * 1e3);
    let generator = middle(&|burst| burst.generator / burst.events * 1e3);
    let lags = lags(instance, plan).await?;
    instance.readable().await?;
    let lag = |part: f64| percentile(&lags, part) / 1e3;
    let frames = instance.resolved_frames().await?;
    let (visible, issues) = instance.visible().await?;
    if visible != instance.accepted {
        return Err(format!("{} events were accepted, {visible} are visible", instance.accepted).into());
    }
    let row = |name: &str, value: String| [name.to_owned(), value];
    let rows = [
        row("accepted and readable, from the first request", format!("{rate:.0} events/s")),
        row("digested after the last answer", format!("{alone:.0} events/s")),
        row("server CPU, accepted to readable", format!("{cpu:.3} ms an event")),
        row("generator CPU", format!("{generator:.3} ms an event")),
        row("accepted → visible at 1,000/s, p50", format!("{:.0} ms", lag(0.5))),
        row("accepted → visible at 1,000/s, p99", format!("{:.0} ms", lag(0.99))),
        row("frames resolved of an event's ten", frames.to_string()),
        row("events accepted, all visible", format!("{visible} in {issues} issues")),
    ];
    table(&format!("Digest, bursts of {}, medians of {}", plan.burst, plan.rounds), &["", ""], &rows);
    let figures = [
        ("rate", rate),
        ("alone", alone),
        ("cpu_ms", cpu),
        ("lag_p50_ms", lag(0.5)),
        ("lag_p99_ms", lag(0.99)),
    ];
    for (name, value) in figures {
        report.keep(format!("digest.{name}"), value);
    }
    report.at_least("accepted and readable", rate, 5_000.0, 8_000.0, "/s");
    report.at_most("CPU of an event, accepted to readable", cpu, 0.3, 0.2, "ms");
    report.at_most("accepted → visible at 1,000/s, p99", lag(0.99), 500.0, 200.0, "ms");
    Ok(())
}

/// From the answer to the issue list, in microseconds, ascending, beside a steady load.
pub(crate) async fn lags(instance: &mut Instance, plan: &Plan) -> Result<Vec<u32>> {
    let load = Load { connections: CONNECTIONS, time: plan.steady, requests: u64::MAX };
    let (address, pool) = (instance.server.address, instance.pool.clone());
    let (outcome, lags) = tokio::join!(open(address, &pool, load, PACE), time_probes(instance, plan.steady));
    instance.accepted += outcome.accepted();
    lags
}

async fn time_probes(instance: &mut Instance, time: Duration) -> Result<Vec<u32>> {
    let requests: Vec<Vec<u8>> =
        (0..time.as_millis() / PROBE_EVERY.as_millis()).map(|_| instance.probes.request()).collect();
    let before = instance.probes.sent - requests.len() as u64;
    let answers = RefCell::new(Vec::with_capacity(requests.len()));
    let address = instance.server.address;
    let send = async {
        let mut connection = Connection::open(address).await?;
        let mut ticks = tokio::time::interval(PROBE_EVERY);
        for request in &requests {
            ticks.tick().await;
            match connection.send(request).await? {
                202 => answers.borrow_mut().push(Instant::now()),
                status => return Err(format!("a probe was answered {status}").into()),
            }
        }
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let watch = watch(instance, before, &answers, requests.len());
    let (sent, lags) = tokio::join!(send, watch);
    sent?;
    lags
}

/// Probes become visible in the order of their answers: the n-th is there when n more are counted.
async fn watch(
    instance: &mut Instance,
    before: u64,
    answers: &RefCell<Vec<Instant>>,
    count: usize,
) -> Result<Vec<u32>> {
    let mut lags = Vec::with_capacity(count);
    let started = Instant::now();
    while lags.len() < count {
        let visible = (instance.visible_probes().await? - before) as usize;
        let now = Instant::now();
        let lag = |index: usize| {
            // Visible before its answer was read: no delay at all.
            let answer = answers.borrow().get(index).copied();
            answer.map_or(Duration::ZERO, |answer| now.saturating_duration_since(answer))
        };
        let new = lags.len()..visible;
        lags.extend(new.map(|index| u32::try_from(lag(index).as_micros()).unwrap_or(u32::MAX)));
        if started.elapsed() > VISIBLE_MAX {
            return Err("probes do not become visible".into());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    lags.sort_unstable();
    Ok(lags)
}
