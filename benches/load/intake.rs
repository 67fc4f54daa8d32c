//! Durable intake: events acknowledged a second, in turn with the two bare servers.

use crate::bare::Kind;
use crate::drive::{Load, Outcome, closed, open};
use crate::instance::Instance;
use crate::process::cpu_seconds;
use crate::report::{Report, median, table};
use crate::server::Server;
use crate::{Plan, Result};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// Requests of one run at most.
const REQUESTS_MAX: u64 = 60_000;
/// Requests a second of the open loop, and the connections it may use.
const PACE: u32 = 1_000;
const OPEN_CONNECTIONS: usize = 64;
/// The connections that the goal speaks of.
const GOAL_CONNECTIONS: usize = 64;

const HEAD: [&str; 9] = [
    "",
    "accepted/s",
    "p50 ms",
    "p99 ms",
    "p99.9 ms",
    "server CPU ms/1,000",
    "generator CPU ms/1,000",
    "÷ it",
    "not 2xx",
];

/// What was measured of one server at one number of connections.
#[derive(Default)]
pub(crate) struct Runs {
    rate: Vec<f64>,
    percentiles: [Vec<f64>; 3],
    server: Vec<f64>,
    generator: Vec<f64>,
    others: Vec<String>,
}

impl Runs {
    fn add(&mut self, outcome: &Outcome, server: f64, generator: f64) {
        let events = outcome.accepted().max(1) as f64;
        self.rate.push(outcome.rate());
        for (samples, part) in self.percentiles.iter_mut().zip([0.5, 0.99, 0.999]) {
            samples.push(outcome.percentile(part));
        }
        self.server.push(server / events * 1e6);
        self.generator.push(generator / events * 1e6);
        if outcome.others() != "-" {
            self.others.push(outcome.others());
        }
    }

    pub(crate) fn rate(&self) -> f64 {
        median(self.rate.clone())
    }

    fn row(&self, name: &str, ours: f64) -> [String; 9] {
        let [p50, p99, p999] = self.percentiles.clone().map(median);
        let others = if self.others.is_empty() { "-".to_owned() } else { self.others.join("; ") };
        [
            name.to_owned(),
            format!("{:.0}", self.rate()),
            format!("{p50:.2}"),
            format!("{p99:.2}"),
            format!("{p999:.2}"),
            format!("{:.0}", median(self.server.clone())),
            format!("{:.0}", median(self.generator.clone())),
            format!("{:.2}", ours / self.rate()),
            others,
        ]
    }

    fn keep(&self, report: &mut Report, name: &str) {
        let [p50, p99, p999] = self.percentiles.clone().map(median);
        let figures = [
            ("rate", self.rate()),
            ("p50_ms", p50),
            ("p99_ms", p99),
            ("p999_ms", p999),
            ("cpu_us", median(self.server.clone())),
        ];
        for (figure, value) in figures {
            report.keep(format!("{name}.{figure}"), value);
        }
    }
}

/// The bare servers, running beside; idle but in their turn.
pub(crate) struct Peers(Vec<(Kind, Server)>);

impl Peers {
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let program = std::env::current_exe()?;
        let start = |kind: Kind| {
            let arguments = [OsStr::new(kind.argument()), folder.as_os_str()];
            Ok((kind, Server::start(&program, &arguments, &[], &folder.join("bare.log"))?))
        };
        Ok(Self(Kind::ALL.into_iter().map(start).collect::<Result<_>>()?))
    }

    pub(crate) fn get(&self, kind: Kind) -> Option<&Server> {
        self.0.iter().find(|(is, _)| *is == kind).map(|(_, server)| server)
    }
}

/// Runs Mayday once, and waits until what it took is readable. Its CPU is that of the time up to the
/// last answer: what the digest does meanwhile is in it.
async fn run_ours(instance: &mut Instance, load: Load, pace: Option<u32>, runs: &mut Runs) -> Result<()> {
    instance.cpu()?;
    let before = cpu_seconds(0)?;
    let (address, pool) = (instance.server.address, instance.pool.clone());
    let outcome = match pace {
        None => closed(address, &pool, load).await,
        Some(rate) => open(address, &pool, load, rate).await,
    };
    runs.add(&outcome, instance.cpu()?, cpu_seconds(0)? - before);
    instance.accepted += outcome.accepted();
    instance.readable().await?;
    Ok(())
}

async fn run_bare(
    server: &Server,
    instance: &Instance,
    load: Load,
    pace: Option<u32>,
    runs: &mut Runs,
) -> Result<()> {
    let before = (cpu_seconds(server.pid())?, cpu_seconds(0)?);
    let outcome = match pace {
        None => closed(server.address, &instance.pool, load).await,
        Some(rate) => open(server.address, &instance.pool, load, rate).await,
    };
    runs.add(&outcome, cpu_seconds(server.pid())? - before.0, cpu_seconds(0)? - before.1);
    Ok(())
}

/// A B C, A B C, …: Mayday and the bare servers in turn.
pub(crate) async fn in_turn(
    instance: &mut Instance,
    peers: &Peers,
    load: Load,
    pace: Option<u32>,
    rounds: usize,
) -> Result<[Runs; 3]> {
    let mut runs: [Runs; 3] = Default::default();
    let [ours, bare @ ..] = &mut runs;
    for _ in 0..rounds {
        run_ours(instance, load, pace, ours).await?;
        for ((_, server), runs) in peers.0.iter().zip(bare.iter_mut()) {
            run_bare(server, instance, load, pace, runs).await?;
        }
    }
    Ok(runs)
}

fn print(title: &str, name: &str, peers: &Peers, runs: &[Runs; 3], report: &mut Report) {
    let [ours, bare @ ..] = runs;
    let mut rows = vec![ours.row("Mayday", ours.rate())];
    ours.keep(report, &format!("{name}.mayday"));
    for ((kind, _), runs) in peers.0.iter().zip(bare) {
        rows.push(runs.row(kind.name(), ours.rate()));
        runs.keep(report, &format!("{name}.{}", kind.argument().trim_start_matches('-')));
        report.keep(
            format!("{name}.ratio.{}", kind.argument().trim_start_matches('-')),
            ours.rate() / runs.rate(),
        );
    }
    table(title, &HEAD, &rows);
}

/// Throughput at each number of connections, then latency at a steady pace.
pub(crate) async fn measure(
    instance: &mut Instance,
    peers: &Peers,
    plan: &Plan,
    report: &mut Report,
) -> Result<()> {
    for &connections in plan.connections {
        let load = Load { connections, time: plan.run, requests: REQUESTS_MAX };
        let runs = in_turn(instance, peers, load, None, plan.rounds).await?;
        let title = format!(
            "Intake, {connections} connections, closed loop, medians of {} runs in turn",
            plan.rounds
        );
        print(&title, &format!("intake.{connections}"), peers, &runs, report);
        if connections == GOAL_CONNECTIONS {
            let [ours, _, commit] = &runs;
            let p99 = median(ours.percentiles[1].clone());
            report.at_least(
                "accepted/s ÷ axum + SQLite, 64 connections",
                ours.rate() / commit.rate(),
                0.6,
                0.8,
                "",
            );
            report.at_most("p99 of that answer", p99, 15.0, 8.0, "ms");
        }
    }
    let load = Load { connections: OPEN_CONNECTIONS, time: plan.steady, requests: REQUESTS_MAX };
    let runs = in_turn(instance, peers, load, Some(PACE), 1).await?;
    print(&format!("Intake, {PACE}/s, open loop, latency from due time"), "steady", peers, &runs, report);
    Ok(())
}

/// Lets caches, connections and files come to their size.
pub(crate) async fn warm_up(instance: &mut Instance, peers: &Peers) -> Result<()> {
    let load = Load { connections: GOAL_CONNECTIONS, time: Duration::from_millis(500), requests: 2_000 };
    in_turn(instance, peers, load, None, 1).await.map(drop)
}
