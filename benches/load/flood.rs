//! One project's flood: what another project's clients feel while one is sent ten times what it may
//! send. A server of its own, with the limit on; the flood comes from a thread of its own.

use crate::api::{Api, Project, now};
use crate::drive::{Load, Outcome, open};
use crate::events::{Pool, RELEASE};
use crate::mapgen::Bundle;
use crate::process::memory;
use crate::report::{Report, median, table};
use crate::server::Server;
use crate::{Plan, Result};
use std::cell::RefCell;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Events a second that a project may send.
const LIMIT: u32 = 500;
/// Events a second of the flood, and of the project beside.
const FLOOD: u32 = LIMIT * 10;
const PACE: u32 = 300;
const CONNECTIONS: usize = 32;
/// Before and after the part that is measured.
const LEAD: Duration = Duration::from_millis(700);

pub(crate) async fn measure(data: &Path, bundle: &Bundle, plan: &Plan, report: &mut Report) -> Result<()> {
    let limit = LIMIT.to_string();
    let environment = [("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", limit.as_str())];
    let (mut server, _) = Server::mayday_with(data, &environment).await?;
    let mut api = Api::claim(&mut server).await?;
    let (flooded, other) = (api.project("Flooded").await?, api.project("Other").await?);
    for project in [&flooded, &other] {
        api.upload(&project.key, RELEASE, bundle).await?;
    }
    let pool = |project: &Project| Pool::new(std::slice::from_ref(&project.key), bundle, now(), 5);
    let calm = Rc::new(RefCell::new(pool(&other)));
    let load = Load { connections: CONNECTIONS, time: plan.steady, requests: u64::MAX };
    let (mut alone, mut beside, mut floods) = (Vec::new(), Vec::new(), Vec::new());
    open(server.address, &calm, Load { time: LEAD, ..load }, PACE).await;
    for _ in 0..plan.rounds {
        alone.push(open(server.address, &calm, load, PACE).await);
        let flood = flood(server.address, pool(&flooded), plan.steady + LEAD * 2);
        tokio::time::sleep(LEAD).await;
        beside.push(open(server.address, &calm, load, PACE).await);
        // Off this thread's runtime: it must not stop while the flood ends.
        let ended = tokio::task::spawn_blocking(move || flood.join()).await?;
        floods.push(ended.map_err(|_| "the flood panicked")?);
    }
    let memory = memory(server.pid())?.all as f64 / f64::from(1 << 20);
    server.stop()?;
    print(&alone, &beside, &floods, memory, report);
    Ok(())
}

/// What the flood got: answers a second, and those of them that were accepted.
type Flooded = (f64, f64);

fn flood(address: SocketAddr, pool: Pool, time: Duration) -> std::thread::JoinHandle<Flooded> {
    std::thread::spawn(move || {
        let load = Load { connections: CONNECTIONS, time, requests: u64::MAX };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let outcome = runtime.block_on(async move {
            let pool = Rc::new(RefCell::new(pool));
            open(address, &pool, load, FLOOD).await
        });
        let all: u64 = outcome.statuses.values().sum();
        (all as f64 / outcome.elapsed.as_secs_f64(), outcome.rate())
    })
}

fn print(alone: &[Outcome], beside: &[Outcome], floods: &[Flooded], memory: f64, report: &mut Report) {
    let of = |runs: &[Outcome], part: f64| median(runs.iter().map(|run| run.percentile(part)).collect());
    let others = |runs: &[Outcome]| runs.iter().map(Outcome::others).collect::<Vec<_>>().join("; ");
    let row = |name: &str, runs: &[Outcome]| {
        let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|part| format!("{:.2}", of(runs, part)));
        [name.to_owned(), p50, p99, p999, others(runs)]
    };
    let rows = [row("alone", alone), row("beside the flood", beside)];
    let title = format!("A project at {PACE}/s while another, limited to {LIMIT}/s, is sent {FLOOD}/s");
    table(&title, &["", "p50 ms", "p99 ms", "p99.9 ms", "not 2xx"], &rows);
    let (answered, accepted) = (
        median(floods.iter().map(|flood| flood.0).collect()),
        median(floods.iter().map(|flood| flood.1).collect()),
    );
    println!(
        "\n  of the flood {answered:.0}/s were answered, {accepted:.0}/s accepted; memory (PSS) {memory:.0} MiB"
    );
    let ratio = of(beside, 0.99) / of(alone, 0.99);
    let figures = [
        ("alone_p99_ms", of(alone, 0.99)),
        ("beside_p99_ms", of(beside, 0.99)),
        ("ratio", ratio),
        ("answered", answered),
        ("accepted", accepted),
        ("pss_mib", memory),
    ];
    figures.into_iter().for_each(|(name, value)| report.keep(format!("flood.{name}"), value));
    report.at_most("intake p99 while another project is flooded ÷ alone", ratio, 2.0, 1.5, "×");
    report.at_most("intake p99 while another project is flooded", of(beside, 0.99), 15.0, 8.0, "ms");
}
