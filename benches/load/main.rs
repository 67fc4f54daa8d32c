//! The performance report: the release binary under load on loopback, beside the bare limits.
//!
//! ```text
//! cargo bench --bench load -- [--quick] [--json FILE]
//! MAYDAY_BIN=/path/to/mayday cargo bench --bench load
//! ```
//!
//! Mayday, axum that only parses, and axum with a bare SQLite group commit run in turn in one
//! process tree each, with the same requests; claims are ratios of medians within one run. The
//! generator runs on the same cores. Absolute figures drift with the machine and whatever else it does.
//!
//! Everything is bounded: four minutes in all, with `--quick` three quarters of one.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]

mod bare;
mod client;
mod digest;
mod drive;
mod events;
mod instance;
mod intake;
mod life;
#[path = "../support/mapgen.rs"]
mod mapgen;
mod process;
mod report;
mod server;
mod sign_in;

use bare::Kind;
use instance::Instance;
use intake::Peers;
use life::Life;
use process::{Sampler, memory};
use report::Report;
use server::Server;
use std::path::PathBuf;
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
    /// Events of one burst for the digest.
    pub(crate) burst: u64,
    pub(crate) starts: usize,
    /// Bytes of the source map.
    map: usize,
}

const FULL: Plan = Plan {
    connections: &[8, 64, 256],
    rounds: 3,
    run: Duration::from_millis(2_500),
    steady: Duration::from_secs(6),
    burst: 15_000,
    starts: 5,
    map: 4_000_000,
};

const QUICK: Plan = Plan {
    connections: &[64],
    rounds: 2,
    run: Duration::from_millis(1_200),
    steady: Duration::from_secs(3),
    burst: 5_000,
    starts: 3,
    map: 1_000_000,
};

struct Options {
    quick: bool,
    json: Option<PathBuf>,
    bare: Option<(Kind, PathBuf)>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self { quick: false, json: None, bare: None };
        while let Some(argument) = arguments.next() {
            let mut path = || {
                arguments.next().map(PathBuf::from).ok_or_else(|| format!("{argument}: a path is missing"))
            };
            if argument == "--quick" {
                options.quick = true;
            } else if argument == "--json" {
                options.json = Some(path()?);
            } else if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.argument() == argument) {
                options.bare = Some((kind, path()?));
            } else if argument != "--bench" {
                // `cargo bench` passes --bench.
                return Err(format!("{argument}: expected --quick or --json FILE").into());
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
    let (data, bare) = (folder.path().join("data"), folder.path().join("bare"));
    std::fs::create_dir(&bare)?;
    println!("{}, {} cores", server::binary().display(), report::cores());

    let mut report = Report::default();
    let empty_start = life::start_up(&folder.path().join("empty"), plan).await?;
    let bundle = mapgen::bundle(plan.map, 1);
    let (server, _) = Server::mayday(&data).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (idle, peak) = (memory(server.pid())?, Sampler::start(server.pid()));
    let life = Life { empty_start, idle, peak };
    let mut instance = Instance::new(server, &bundle).await?;
    let body = instance.pool.borrow().mean_body();
    println!(
        "bodies of {body:.0} bytes at the mean, a source map of {} bytes and {} modules",
        bundle.map.len(),
        bundle.modules
    );

    let peers = Peers::start(&bare)?;
    intake::warm_up(&mut instance, &peers).await?;
    intake::measure(&mut instance, &peers, plan, &mut report).await?;
    drop(peers);
    digest::measure(&mut instance, plan, &mut report).await?;
    sign_in::measure(&mut instance, plan, &mut report).await?;
    life.measure(instance, &data, plan, &mut report).await?;
    report.print_goals();
    match &options.json {
        Some(path) => report.write(path),
        None => Ok(()),
    }
}
