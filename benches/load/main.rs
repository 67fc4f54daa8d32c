//! The performance report: the release binary under load on loopback, beside the bare limits.
//!
//! ```text
//! cargo bench --bench load -- [--quick] [--scale | --logs | --flood | --upload | --late | --told | --agents | --warm] [--scale-data DIR] [--json FILE]
//! MAYDAY_BIN=/path/to/mayday cargo bench --bench load
//! ```
//!
//! `--scale`, `--logs`, `--flood`, `--upload`, `--late`, `--told`, `--agents` and `--warm` are one part alone: that with a million
//! events, which `--quick` leaves out, that about logs, that with a flood, that of a build's source maps, that of source maps after
//! the errors, that of rules and notifications, that of sessions and runners, and that of sessions whose packages are installed,
//! which `--quick` leaves out, too, and which fails if its goal is missed. Its data is made anew each time unless `--scale-data`
//! names where to keep that of `--scale`. PERFORMANCE.md says how to read the report.
//!
//! Mayday, axum that only parses, and axum with a bare SQLite group commit run in turn in one
//! process tree each, with the same requests; claims are ratios of medians within one run. The
//! generator runs on the same cores. Absolute figures drift with the machine and whatever else it does.
//!
//! Everything is bounded: some twenty minutes in all, two with `--quick`. The data takes 2 GB.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]

mod agents;
mod api;
mod bare;
mod client;
mod digest;
mod disk;
mod drive;
mod events;
mod flood;
mod instance;
mod intake;
mod late;
mod life;
mod logs;
#[path = "../support/mapgen.rs"]
mod mapgen;
mod notifications;
mod process;
mod report;
mod scale;
mod server;
mod sign_in;
mod sustained;
mod upload;
mod warm;
mod wrk;

use bare::Kind;
use instance::Instance;
use intake::Peers;
use life::Life;
use process::{Sampler, memory};
use report::Report;
use server::Server;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// How much is done.
pub(crate) struct Plan {
    pub(crate) connections: &'static [usize],
    pub(crate) rounds: usize,
    /// One run of the closed loop.
    pub(crate) run: Duration,
    /// One run at a steady pace.
    pub(crate) steady: Duration,
    /// One long run of the closed loop, and how many.
    pub(crate) sustained: Duration,
    pub(crate) sustained_rounds: usize,
    /// Events of one burst for the digest.
    pub(crate) burst: u64,
    pub(crate) starts: usize,
    pub(crate) logs: logs::Amount,
    /// Bytes of the source map.
    map: usize,
    upload: upload::Amount,
    /// Changes of roles that are told.
    pub(crate) changes: u64,
    /// Sessions that wait for runners: a multiple of 20.
    pub(crate) sessions: usize,
    /// Issues whose source maps come late.
    pub(crate) late_issues: usize,
}

const FULL: Plan = Plan {
    connections: &[8, 64, 256],
    rounds: 3,
    run: Duration::from_millis(2_500),
    steady: Duration::from_secs(6),
    sustained: Duration::from_secs(20),
    sustained_rounds: 2,
    burst: 15_000,
    starts: 5,
    logs: logs::Amount {
        batches: 5_000,
        rounds: 3,
        sizes: &[1_000_000, 10_000_000],
        moment: 3_000_000,
        layouts: true,
        steady: 20,
    },
    map: 4_000_000,
    upload: upload::Amount { maps: 500, each: 400_000 },
    changes: 10_000,
    sessions: 200,
    late_issues: 4_000,
};

const QUICK: Plan = Plan {
    connections: &[64],
    rounds: 2,
    run: Duration::from_millis(1_200),
    steady: Duration::from_secs(3),
    sustained: Duration::from_secs(6),
    sustained_rounds: 1,
    burst: 5_000,
    starts: 3,
    logs: logs::Amount {
        batches: 3_000,
        rounds: 2,
        sizes: &[1_000_000],
        moment: 1_000_000,
        layouts: false,
        steady: 5,
    },
    map: 1_000_000,
    upload: upload::Amount { maps: 50, each: 400_000 },
    changes: 2_000,
    sessions: 200,
    late_issues: 1_000,
};

/// A part that can be asked for alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Scale,
    Logs,
    Moment,
    Flood,
    Upload,
    Late,
    Told,
    Agents,
    Warm,
}

#[derive(Default)]
struct Options {
    quick: bool,
    only: Option<Part>,
    scale_data: Option<PathBuf>,
    json: Option<PathBuf>,
    bare: Option<(Kind, PathBuf)>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            let mut path = || {
                arguments.next().map(PathBuf::from).ok_or_else(|| format!("{argument}: a path is missing"))
            };
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--scale" => options.only = Some(Part::Scale),
                "--logs" => options.only = Some(Part::Logs),
                "--logs-of-one-time" => options.only = Some(Part::Moment),
                "--flood" => options.only = Some(Part::Flood),
                "--upload" => options.only = Some(Part::Upload),
                "--late" => options.only = Some(Part::Late),
                "--told" => options.only = Some(Part::Told),
                "--agents" => options.only = Some(Part::Agents),
                "--warm" => options.only = Some(Part::Warm),
                "--scale-data" => options.scale_data = Some(path()?),
                "--json" => options.json = Some(path()?),
                // `cargo bench` passes it.
                "--bench" => {}
                _ => match Kind::ALL.into_iter().find(|kind| kind.argument() == argument) {
                    Some(kind) => options.bare = Some((kind, path()?)),
                    None => {
                        let known = "--quick, --scale, --logs, --logs-of-one-time, --flood, --upload, --late, --told, --agents, --warm, --scale-data DIR or --json FILE";
                        return Err(format!("{argument}: expected {known}").into());
                    }
                },
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let outcome = Options::read(std::env::args().skip(1)).and_then(|options| match &options.bare {
        Some((kind, folder)) => bare::serve(*kind, folder),
        None => tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(&options)),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<()> {
    let plan = if options.quick { &QUICK } else { &FULL };
    let folder = tempfile::tempdir()?;
    println!("{}, {} cores", server::binary().display(), report::cores());
    let mut report = Report::default();
    let wants = |part: Part| options.only.is_none_or(|only| only == part);
    let is_selection = options.quick && options.only.is_none();
    if options.only.is_none() {
        ordinary(folder.path(), plan, &mut report).await?;
    }
    if wants(Part::Flood) {
        let bundle = mapgen::bundle(plan.map, 1);
        flood::measure(&folder.path().join("flood"), &bundle, plan, &mut report).await?;
    }
    if wants(Part::Upload) {
        let bundle = mapgen::bundle(plan.upload.each, 1);
        upload::measure(&folder.path().join("upload"), &bundle, (plan.upload, plan), &mut report).await?;
    }
    if wants(Part::Late) {
        let bundle = mapgen::bundle(plan.map, 1);
        late::measure(&folder.path().join("late"), &bundle, plan, &mut report).await?;
    }
    if wants(Part::Told) {
        let bundle = mapgen::bundle(plan.map, 1);
        notifications::measure(folder.path(), &bundle, plan, &mut report).await?;
    }
    if wants(Part::Agents) {
        agents::measure(&folder.path().join("agents"), plan, &mut report).await?;
    }
    if wants(Part::Warm) && !is_selection {
        warm::measure(&folder.path().join("warm"), &mut report).await?;
    }
    if wants(Part::Logs) {
        logs::measure(folder.path(), plan, &mut report).await?;
    }
    if options.only == Some(Part::Moment) {
        logs::at_one_time(folder.path(), plan, &mut report).await?;
    }
    if wants(Part::Scale) && !is_selection {
        let data = options.scale_data.clone().unwrap_or_else(|| folder.path().join("scale"));
        let place = scale::Place { folder: &data, bare: folder.path().join("scale-bare") };
        scale::measure(&place, plan, &mut report).await?;
    }
    report.print_goals();
    if let Some(path) = &options.json {
        report.write(path)?;
    }
    if options.only == Some(Part::Warm) && report.has_missed() {
        return Err("a warm session took longer than the goal".into());
    }
    Ok(())
}

/// All but what can be asked for alone.
async fn ordinary(folder: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let (data, bare) = (folder.join("data"), folder.join("bare"));
    std::fs::create_dir(&bare)?;
    let empty_start = life::start_up(&folder.join("empty"), plan).await?;
    let bundle = mapgen::bundle(plan.map, 1);
    let (server, _) = Server::mayday(&data).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (idle, peak) = (memory(server.pid())?, Sampler::start(server.pid()));
    let life = Life { empty_start, idle, peak };
    let mut instance = Instance::new(server, &bundle).await?;
    print_bodies(&instance, &bundle, report);

    let peers = Peers::start(&bare)?;
    intake::warm_up(&mut instance, &peers).await?;
    intake::measure(&mut instance, &peers, plan, report).await?;
    sustained::measure(&mut instance, &peers, plan, report).await?;
    drop(peers);
    wrk::measure(&mut instance, folder, plan, report).await?;
    digest::measure(&mut instance, plan, report).await?;
    sign_in::measure(&mut instance, plan, report).await?;
    life.measure(instance, (&data, &bundle), plan, report).await
}

fn print_bodies(instance: &Instance, bundle: &mapgen::Bundle, report: &mut Report) {
    let sizes = instance.pool.borrow().sizes();
    let mean = sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / sizes.len().max(1) as f64;
    let of = |part: f64| drive::percentile(&sizes, part);
    println!(
        "bodies: {mean:.0} bytes at the mean; least {:.0}, p50 {:.0}, p90 {:.0}, p99 {:.0}, most {:.0}; \
         a source map of {} bytes and {} modules",
        of(0.0),
        of(0.5),
        of(0.9),
        of(0.99),
        of(1.0),
        bundle.map.len(),
        bundle.modules
    );
    report.keep("bodies.mean".to_owned(), mean);
}
