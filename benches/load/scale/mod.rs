//! Reads, intake, digest and disk with a million events and 50,000 issues in one project, beside a
//! tenth of that. Cost must grow gently.

mod reads;
mod seed;

use crate::bare::Kind;
use crate::disk::Stored;
use crate::drive::{Load, closed};
use crate::instance::Instance;
use crate::intake::{Peers, in_turn};
use crate::life::start_up;
use crate::process::memory;
use crate::report::{Report, table};
use crate::{Plan, Result};
use reads::Timed;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much one project has.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    name: &'static str,
    events: u64,
    issues: usize,
}

const SMALL: Size = Size { name: "small", events: 100_000, issues: 5_000 };
const LARGE: Size = Size { name: "large", events: 1_000_000, issues: 50_000 };

/// Milliseconds that a read may take, and that it should.
const READ_MUST: f64 = 20.0;
const READ_STRETCH: f64 = 5.0;
/// Times that the large one may take longer. Below [`NOISE`] milliseconds nobody asks.
const GROWTH: f64 = 2.0;
const NOISE: f64 = 2.0;

/// Events of one run at most: they make the data grow.
const INTAKE: u64 = 12_000;

/// What was measured of one size.
struct Measured {
    alone: Vec<Timed>,
    crowded: Vec<Timed>,
    /// Accepted a second ÷ the bare group commit.
    intake: f64,
    /// Of any of the issues, and of 500.
    digested: [f64; 2],
    start: f64,
    memory: f64,
    disk: f64,
}

/// Where the data directories lie; kept when somebody names a folder.
pub(crate) struct Place<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) bare: PathBuf,
}

pub(crate) async fn measure(place: &Place<'_>, plan: &Plan, report: &mut Report) -> Result<()> {
    let small = one(place, SMALL, plan, report).await?;
    let large = one(place, LARGE, plan, report).await?;
    print_reads(&small, &large, report);
    print_rest(&small, &large, report);
    Ok(())
}

async fn one(place: &Place<'_>, size: Size, plan: &Plan, report: &mut Report) -> Result<Measured> {
    let data = place.folder.join(size.name);
    let (mut instance, project, usual) = seed::open(&data, size).await?;
    // What was just written is still being merged into the file.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let alone = reads::measure(&mut instance, project, size.issues, 1).await?;
    let crowded = reads::measure(&mut instance, project, size.issues, 8).await?;
    println!("{}: {} reads were timed, alone and eight at once", size.name, alone.len());
    let memory = memory(instance.server.pid())?.all as f64 / f64::from(1 << 20);
    let intake = intake(&mut instance, &place.bare.join(size.name), plan).await?;
    let any = digested_rate(&mut instance, plan).await?;
    instance.pool.replace(usual);
    let digested = [any, digested_rate(&mut instance, plan).await?];
    instance.server.stop()?;
    let start = start_up(&data, plan).await?;
    let stored = Stored::open(&data)?;
    stored.print(size.name, report)?;
    let disk = stored.bytes / stored.events;
    Ok(Measured { alone, crowded, intake, digested, start, memory, disk })
}

async fn intake(instance: &mut Instance, bare: &Path, plan: &Plan) -> Result<f64> {
    std::fs::create_dir_all(bare)?;
    let peers = Peers::start(bare)?;
    let load = Load { connections: 64, time: plan.run, requests: INTAKE };
    in_turn(instance, &peers, load, None, 1).await?;
    let runs = in_turn(instance, &peers, load, None, plan.rounds).await?;
    let commit = Kind::ALL.iter().position(|kind| *kind == Kind::Commit).unwrap_or_default();
    Ok(runs[0].rate() / runs[commit + 1].rate())
}

/// Events a second that can be read, from the first request of a long run until its last one can.
async fn digested_rate(instance: &mut Instance, plan: &Plan) -> Result<f64> {
    let load = Load { connections: 64, time: plan.sustained, requests: u64::MAX };
    let started = std::time::Instant::now();
    let outcome = closed(instance.server.address, &instance.pool.clone(), load).await;
    let readable = instance.readable().await?;
    Ok(outcome.accepted() as f64 / readable.duration_since(started).as_secs_f64())
}

fn print_reads(small: &Measured, large: &Measured, report: &mut Report) {
    let mut rows = Vec::new();
    let (mut over, mut grown, mut slowest) = (Vec::new(), Vec::new(), 0.0_f64);
    let pairs = small.alone.iter().zip(&large.alone).zip(&large.crowded);
    for ((small, large), crowded) in pairs {
        let growth = large.p50 / small.p50.max(0.001);
        let is_grown = growth > GROWTH && large.p50 > NOISE;
        let verdict = match large.p99 {
            p99 if p99 <= READ_STRETCH => "stretch",
            p99 if p99 <= READ_MUST => "met",
            _ => "MISSED",
        };
        if large.p99 > READ_MUST {
            over.push(large.name);
        }
        if is_grown {
            grown.push(large.name);
        }
        slowest = slowest.max(large.p99);
        let cells = [small.p50, small.p99, large.p50, large.p99, large.p999, crowded.p50, crowded.p99];
        let [a, b, c, d, e, f, g] = cells.map(|cell| format!("{cell:.2}"));
        let times = format!("{growth:.1}{}", if is_grown { " GROWN" } else { "" });
        rows.push([large.name.to_owned(), a, b, c, d, e, f, g, times, verdict.to_owned()]);
        for (figure, value) in [("p50_ms", large.p50), ("p99_ms", large.p99), ("p999_ms", large.p999)] {
            report.keep(format!("reads.{}.{figure}", large.name), value);
        }
        report.keep(format!("reads.{}.crowded_p99_ms", large.name), crowded.p99);
        report.keep(format!("reads.{}.growth", large.name), growth);
    }
    let head =
        ["", "small p50", "p99", "large p50", "p99", "p99.9", "8 at once p50", "p99", "large ÷ small", ""];
    let title = format!(
        "Reads in ms: {} events in {} issues, and {} in {}",
        SMALL.events, SMALL.issues, LARGE.events, LARGE.issues
    );
    table(&title, &head, &rows);
    println!("\n  over {READ_MUST} ms: {}\n  grown: {}", list(&over), list(&grown));
    report.keep("scale.reads_over".to_owned(), over.len() as f64);
    report.at_most("slowest read at a million events, p99", slowest, READ_MUST, READ_STRETCH, "ms");
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn print_rest(small: &Measured, large: &Measured, report: &mut Report) {
    let figures = [
        ("intake_ratio", "accepted/s ÷ axum + SQLite, 64 connections", small.intake, large.intake),
        (
            "digested",
            "sustained: accepted and readable/s, of all issues",
            small.digested[0],
            large.digested[0],
        ),
        ("digested_usual", "the same of 500 issues", small.digested[1], large.digested[1]),
        ("start_ms", "start to first 200, ms", small.start, large.start),
        ("pss_mib", "memory (PSS) after the reads, MiB", small.memory, large.memory),
        ("disk", "main.db, bytes an event", small.disk, large.disk),
    ];
    let rows = figures.map(|(_, name, small, large)| {
        let cells = [small, large, large / small].map(|cell| format!("{cell:.2}"));
        let [small, large, times] = cells;
        [name.to_owned(), small, large, times]
    });
    table("At ten times the data", &["", "small", "large", "large ÷ small"], &rows);
    for (figure, _, small, large) in figures {
        report.keep(format!("scale.{figure}.small"), small);
        report.keep(format!("scale.{figure}.large"), large);
    }
    let slower = small.intake / large.intake;
    report.at_most("intake at ten times the data, times slower", slower, 1.3, 1.1, "×");
    let [any, usual] = large.digested;
    report.at_least("sustained with a million stored: accepted and readable", usual, 5_000.0, 8_000.0, "/s");
    report.at_least("the same of 50,000 issues", any, 5_000.0, 8_000.0, "/s");
    report.at_most("start to first 200 with a million events", large.start, 50.0, 20.0, "ms");
}
