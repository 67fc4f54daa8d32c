//! Logs: taken in and searchable beside bare tantivy, and queries over millions of entries.

mod bare;
mod entries;
mod moment;
mod queries;

use crate::api::{Api, now};
use crate::client::Connection;
use crate::disk::{database_bytes, folder_bytes};
use crate::drive::{Load, Requests as _, closed, open, percentile};
use crate::process::{Sampler, cpu_seconds, memory};
use crate::report::{Report, median, table};
use crate::server::Server;
use crate::{Plan, Result};
use entries::{BATCH, Pool};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Connections of clients that send without a pause.
const CONNECTIONS: usize = 32;
/// How long the index may take to come after.
const SEARCHABLE_MAX: Duration = Duration::from_secs(900);
/// Entries of the data that queries are asked of are spread over so many milliseconds: two weeks.
const SPAN: u64 = 14 * 24 * 3_600_000;

/// How much is sent.
pub(crate) struct Amount {
    /// Batches of one run of intake.
    pub(crate) batches: u64,
    pub(crate) rounds: usize,
    /// Entries that queries are asked of, each size in turn.
    pub(crate) sizes: &'static [u64],
    /// Entries that all have one time.
    pub(crate) moment: u64,
    /// Whether layouts of the index are compared.
    pub(crate) layouts: bool,
    /// Seconds at a steady pace.
    pub(crate) steady: u64,
}

pub(crate) async fn measure(folder: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let data = folder.join("logs-data");
    let (mut server, _) = Server::mayday(&data).await?;
    let mut api = Api::claim(&mut server).await?;
    let amount = &plan.logs;
    intake(&mut api, &server, (folder, amount), report).await?;
    steady(&mut api, &server, amount, report).await?;
    at_fifty_thousand(&mut api, &server, amount, report).await?;
    server.stop()?;
    drop(std::fs::remove_dir_all(&data));
    if amount.layouts {
        bare::layouts(&folder.join("layouts"))?;
    }
    for size in amount.sizes {
        let data = folder.join(format!("logs-{size}"));
        queries::measure(&data, *size, report).await?;
        drop(std::fs::remove_dir_all(&data));
    }
    at_one_time(folder, plan, report).await
}

/// Entries that all have one time.
pub(crate) async fn at_one_time(folder: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let data = folder.join("logs-moment");
    moment::measure(&data, plan.logs.moment, report).await?;
    drop(std::fs::remove_dir_all(&data));
    Ok(())
}

/// Entries of a project that can be searched.
pub(crate) async fn searchable(api: &mut Api, project: i64) -> Result<u64> {
    let list = api.get(&format!("/api/v1/projects/{project}/logs?limit=1")).await?;
    list["total"].as_u64().ok_or_else(|| "no total".into())
}

/// Waits until so many can be searched; when that was.
pub(crate) async fn wait(api: &mut Api, project: i64, entries: u64) -> Result<Instant> {
    let started = Instant::now();
    while searchable(api, project).await? < entries {
        if started.elapsed() > SEARCHABLE_MAX {
            return Err("the index does not come after".into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(Instant::now())
}

/// Mayday and bare tantivy in turn, with the same entries.
async fn intake(
    api: &mut Api,
    server: &Server,
    (folder, amount): (&Path, &Amount),
    report: &mut Report,
) -> Result<()> {
    let mut rows = Vec::new();
    let (mut ours, mut bare, mut acknowledged, mut cpu) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..=amount.rounds {
        let project = api.project(&format!("Burst {round}")).await?;
        let pool = Rc::new(RefCell::new(Pool::new(&project.key, round as u64 + 1)));
        let load =
            Load { connections: CONNECTIONS, time: Duration::from_secs(120), requests: amount.batches };
        let before = cpu_seconds(server.pid())?;
        let started = Instant::now();
        let outcome = closed(server.address, &pool, load).await;
        let entries = outcome.accepted() * BATCH as u64;
        let all = wait(api, project.id, entries).await?.duration_since(started).as_secs_f64();
        let spent = cpu_seconds(server.pid())? - before;
        let limit = bare::rate(&folder.join(format!("bare-logs-{round}")), amount.batches as usize)?;
        if round == 0 {
            continue;
        }
        let rate = entries as f64 / all;
        let sent = outcome.rate() * BATCH as f64;
        rows.push([
            round.to_string(),
            format!("{sent:.0}"),
            format!("{rate:.0}"),
            format!("{limit:.0}"),
            format!("{:.2}", rate / limit),
            format!("{:.1}", outcome.percentile(0.99)),
            format!("{:.1}", spent * 1e6 / entries as f64),
            outcome.others(),
        ]);
        ours.push(rate);
        bare.push(limit);
        acknowledged.push(sent);
        cpu.push(spent * 1e6 / entries as f64);
    }
    let mean = Pool::new("pk_mean", 1).mean();
    table(
        &format!("Log entries of {mean:.0} bytes in batches of {BATCH}, {CONNECTIONS} connections"),
        &[
            "run",
            "accepted/s",
            "searchable/s",
            "bare tantivy/s",
            "ratio",
            "p99 ms",
            "CPU µs an entry",
            "not 2xx",
        ],
        &rows,
    );
    let ratio = median(ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect());
    report.keep("logs.accepted_a_second".to_owned(), median(acknowledged));
    report.keep("logs.searchable_a_second".to_owned(), median(ours));
    report.keep("logs.cpu_us".to_owned(), median(cpu));
    report.at_least("log entries searchable/s ÷ bare tantivy", ratio, 0.5, 0.75, "×");
    Ok(())
}

/// How long it takes until an entry can be found at 5,000 a second.
async fn steady(api: &mut Api, server: &Server, amount: &Amount, report: &mut Report) -> Result<()> {
    let project = api.project("Steady").await?;
    let pool = Rc::new(RefCell::new(Pool::new(&project.key, 99)));
    let load = Load { connections: 8, time: Duration::from_secs(amount.steady), requests: u64::MAX };
    let probes = api.project("Log probes").await?;
    // Made before: it would hold up those who send.
    let asked = (probes.id, Pool::new(&probes.key, 123));
    let mut delays = Vec::new();
    let sending = open(server.address, &pool, load, 5_000 / BATCH as u32);
    let probing = probe(api, server, asked, amount.steady, &mut delays);
    let (outcome, probed) = tokio::join!(sending, probing);
    probed?;
    delays.sort_unstable();
    let (half, most) = (percentile(&delays, 0.5) / 1e3, percentile(&delays, 0.99) / 1e3);
    println!(
        "\nAt {:.0} entries/s: answered p99 {:.1} ms, searchable p50 {half:.0} ms, p99 {most:.0} ms ({} probes)",
        outcome.rate() * BATCH as f64,
        outcome.percentile(0.99),
        delays.len()
    );
    report.at_most("log entry searchable after, at 5,000/s, p99", most, 2_000.0, 1_000.0, "ms");
    Ok(())
}

async fn probe(
    api: &mut Api,
    server: &Server,
    (project, mut pool): (i64, Pool),
    seconds: u64,
    delays: &mut Vec<u32>,
) -> Result<()> {
    let mut connection = Connection::open(server.address).await?;
    let mut request = Vec::new();
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut sent = 0;
    while Instant::now() < until {
        pool.next(&mut request);
        let started = Instant::now();
        connection.send(&request).await?;
        sent += BATCH as u64;
        while searchable(api, project).await? < sent {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        delays.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
        tokio::time::sleep(Duration::from_millis(70)).await;
    }
    Ok(())
}

/// Memory and CPU at 50,000 a second.
async fn at_fifty_thousand(
    api: &mut Api,
    server: &Server,
    amount: &Amount,
    report: &mut Report,
) -> Result<()> {
    let project = api.project("Fifty thousand").await?;
    let pool = Rc::new(RefCell::new(Pool::new(&project.key, 77)));
    let peak = Sampler::start(server.pid());
    let load = Load { connections: 16, time: Duration::from_secs(amount.steady), requests: u64::MAX };
    let (before, started) = (cpu_seconds(server.pid())?, Instant::now());
    let outcome = open(server.address, &pool, load, 50_000 / BATCH as u32).await;
    let cores = (cpu_seconds(server.pid())? - before) / started.elapsed().as_secs_f64();
    wait(api, project.id, outcome.accepted() * BATCH as u64).await?;
    let peak = peak.peak() as f64 / f64::from(1 << 20);
    let files = memory(server.pid())?.files as f64 / f64::from(1 << 20);
    println!(
        "At {:.0} entries/s: answered p99 {:.1} ms, {cores:.2} cores, memory (PSS) {peak:.0} MiB at most; {files:.0} MiB \
         of files are mapped after it",
        outcome.rate() * BATCH as f64,
        outcome.percentile(0.99)
    );
    report.at_most("memory (PSS) at 50,000 log entries/s", peak, 150.0, 100.0, "MiB");
    Ok(())
}

/// Bytes on disk of a data directory's logs: `logs.db` and the index.
pub(crate) fn stored(data: &Path) -> (u64, u64) {
    (database_bytes(data, "logs.db"), folder_bytes(&data.join("logs/index")))
}

fn ends() -> (u64, u64) {
    let end = now();
    (end - SPAN, end)
}
