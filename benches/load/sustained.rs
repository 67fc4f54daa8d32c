//! A load that goes on: what stays unread while it lasts, and how fast that is read after.
//!
//! In bursts of a few seconds the digest rests most of the time, and what it has to do comes after.
//! Here that is counted, too.

use crate::bare::Kind;
use crate::drive::{Load, Outcome, closed};
use crate::instance::Instance;
use crate::intake::Peers;
use crate::process::cpu_seconds;
use crate::report::{Report, median, table};
use crate::{Plan, Result};
use std::time::Instant;

const CONNECTIONS: usize = 64;
/// Seconds at the end whose rate is told apart.
const LAST: usize = 5;

/// One long run, until everything of it can be read.
struct Run {
    outcome: Outcome,
    /// Events that could not be read yet at the last answer.
    waiting: f64,
    /// Events digested a second until then, and after.
    beside: f64,
    after: f64,
    /// Events a second from the first request until all can be read.
    through: f64,
    /// Milliseconds of CPU for a thousand events, all in.
    cpu: f64,
}

async fn run(instance: &mut Instance, load: Load) -> Result<Run> {
    instance.cpu()?;
    let before = instance.visible().await?.0;
    let started = Instant::now();
    let pool = instance.pool.clone();
    let outcome = closed(instance.server.address, &pool, load).await;
    let answered = Instant::now();
    let accepted = outcome.accepted() as f64;
    instance.accepted += outcome.accepted();
    let digested = (instance.visible().await?.0 - before) as f64;
    let looked = Instant::now();
    let readable = instance.readable().await?;
    let waiting = (accepted - digested).max(0.0);
    Ok(Run {
        waiting,
        beside: digested / answered.duration_since(started).as_secs_f64(),
        after: waiting / readable.duration_since(looked).as_secs_f64(),
        through: accepted / readable.duration_since(started).as_secs_f64(),
        cpu: instance.cpu()? / accepted * 1e6,
        outcome,
    })
}

/// Accepted a second in the last whole seconds.
fn last_rate(outcome: &Outcome) -> f64 {
    let whole = &outcome.seconds[..outcome.seconds.len().saturating_sub(1)];
    let last = &whole[whole.len().saturating_sub(LAST)..];
    last.iter().sum::<u64>() as f64 / last.len().max(1) as f64
}

/// Mayday and the bare group commit in turn.
pub(crate) async fn measure(
    instance: &mut Instance,
    peers: &Peers,
    plan: &Plan,
    report: &mut Report,
) -> Result<()> {
    let load = Load { connections: CONNECTIONS, time: plan.sustained, requests: u64::MAX };
    let (mut ours, mut bare, mut generator) = (Vec::new(), Vec::new(), Vec::new());
    let peer = peers.get(Kind::Commit).ok_or("no bare server")?;
    for _ in 0..plan.sustained_rounds {
        let before = cpu_seconds(0)?;
        ours.push(run(instance, load).await?);
        let sent = ours.last().map_or(1.0, |run| run.outcome.accepted() as f64);
        generator.push((cpu_seconds(0)? - before) / sent * 1e6);
        let pool = instance.pool.clone();
        bare.push(closed(peer.address, &pool, load).await);
    }
    let peak = ours.iter().map(|run| run.waiting).fold(0.0, f64::max);
    let of = |figure: &dyn Fn(&Run) -> f64| median(ours.iter().map(figure).collect());
    let of_bare = |figure: &dyn Fn(&Outcome) -> f64| median(bare.iter().map(figure).collect());
    let others: Vec<String> = ours.iter().map(|run| run.outcome.others()).collect();
    let figures = [
        ("rate", "accepted/s", of(&|run| run.outcome.rate())),
        ("last_rate", "accepted/s in the last 5 s", of(&|run| last_rate(&run.outcome))),
        ("p50_ms", "p50 ms", of(&|run| run.outcome.percentile(0.5))),
        ("p99_ms", "p99 ms", of(&|run| run.outcome.percentile(0.99))),
        ("p999_ms", "p99.9 ms", of(&|run| run.outcome.percentile(0.999))),
        ("bare_rate", "axum + SQLite, accepted/s", of_bare(&Outcome::rate)),
        ("bare_p99_ms", "axum + SQLite, p99 ms", of_bare(&|outcome| outcome.percentile(0.99))),
        ("ratio", "accepted/s ÷ axum + SQLite", of(&|run| run.outcome.rate()) / of_bare(&Outcome::rate)),
        ("digested_beside", "digested/s meanwhile", of(&|run| run.beside)),
        ("waiting", "events that wait at the last answer, most", peak),
        ("digested_after", "digested/s after the last answer", of(&|run| run.after)),
        ("through", "accepted and readable/s, all in", of(&|run| run.through)),
        ("cpu_ms_1000", "server CPU, accepted to readable, ms/1,000", of(&|run| run.cpu)),
        ("generator_ms_1000", "generator CPU, ms/1,000", median(generator)),
    ];
    let mut rows: Vec<[String; 2]> =
        figures.iter().map(|(_, name, value)| [(*name).to_owned(), format!("{value:.2}")]).collect();
    rows.push(["not 2xx".to_owned(), others.join("; ")]);
    let title = format!(
        "Sustained: {CONNECTIONS} connections for {:.0} s, closed loop, medians of {} runs in turn",
        plan.sustained.as_secs_f64(),
        plan.sustained_rounds
    );
    table(&title, &["", ""], &rows);
    figures.iter().for_each(|(name, _, value)| report.keep(format!("sustained.{name}"), *value));
    report.at_least("sustained: accepted and readable", of(&|run| run.through), 5_000.0, 8_000.0, "/s");
    Ok(())
}
