//! Source maps that come after the errors: how long until events are readable while the events of a release are resolved again,
//! beside the same stream without that, in one run.

use crate::api::{Project, now};
use crate::digest::lags;
use crate::drive::percentile;
use crate::instance::Instance;
use crate::mapgen::Bundle;
use crate::report::{Report, median, table};
use crate::server::Server;
use crate::{Plan, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// Events of each issue of the release.
const EVENTS_EACH: usize = 10;
/// Events of a request.
const BATCH: usize = 100;
const FRAMES: usize = 10;
const FINISHED_MAX: Duration = Duration::from_mins(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The delays of one stream in ms, and seconds that resolving took.
struct Round {
    alone: [f64; 2],
    beside: [f64; 2],
    took: f64,
}

pub(crate) async fn measure(folder: &Path, bundle: &Bundle, plan: &Plan, report: &mut Report) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let (server, _) = Server::mayday(&folder.join("data")).await?;
    let mut instance = Instance::new(server, bundle).await?;
    let project = instance.api.project("Late").await?;
    let mut rounds = Vec::new();
    for number in 0..plan.rounds {
        rounds.push(round(&mut instance, (&project, &format!("late-{number}")), bundle, plan).await?);
    }
    instance.server.stop()?;
    print(&rounds, plan, report);
    Ok(())
}

async fn round(
    instance: &mut Instance,
    (project, release): (&Project, &str),
    bundle: &Bundle,
    plan: &Plan,
) -> Result<Round> {
    throw(instance, (project, release), bundle, plan.late_issues).await?;
    instance.readable().await?;
    let of = |lags: &[u32]| [0.5, 0.99].map(|part| percentile(lags, part) / 1e3);
    let alone = of(&lags(instance, plan).await?);
    instance.readable().await?;
    instance.api.upload(&project.key, release, bundle).await?;
    let path = format!("/api/v1/projects/{}/releases/{release}", project.id);
    until(instance, &path, |late| late["issues_done"] != 0 && !late.is_null()).await?;
    let begun = Instant::now();
    let beside = of(&lags(instance, plan).await?);
    let ended = until(instance, &path, |late| !late["finished_at"].is_null()).await?;
    let took = ended.duration_since(begun).as_secs_f64();
    Ok(Round { alone, beside, took })
}

/// Errors of a release without a source map: each issue has a type of its own.
async fn throw(
    instance: &mut Instance,
    (project, release): (&Project, &str),
    bundle: &Bundle,
    issues: usize,
) -> Result<()> {
    let frame = |at: usize| {
        let column = bundle.frames[at % bundle.frames.len()] + 1;
        format!("\n    at t (https://shop.example.com/assets/main.js:1:{column})")
    };
    let event = |number: usize| {
        let issue = number % issues;
        let stack: String = (0..FRAMES).map(|depth| frame(issue + depth)).collect();
        let kind = format!("{release}Error{issue}");
        let exception = json!({"type": kind, "message": "late", "stack": format!("{kind}: late{stack}")});
        json!({"api_key": project.key, "timestamp": now(), "release": release, "exception": exception})
    };
    let numbers: Vec<usize> = (0..issues * EVENTS_EACH).collect();
    for some in numbers.chunks(BATCH) {
        let events: Vec<Value> = some.iter().map(|number| event(*number)).collect();
        instance.api.post("/api/v1/errors/batch", &json!(events)).await?;
    }
    Ok(())
}

/// Waits for a state of the release's work; when it was seen.
async fn until(instance: &mut Instance, path: &str, is_so: impl Fn(&Value) -> bool) -> Result<Instant> {
    let started = Instant::now();
    while started.elapsed() < FINISHED_MAX {
        if is_so(&instance.api.get(path).await?["late"]) {
            return Ok(Instant::now());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Err("late source maps are not worked through".into())
}

fn print(rounds: &[Round], plan: &Plan, report: &mut Report) {
    let middle = |figure: &dyn Fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
    let took = middle(&|round| round.took);
    let mut rows = Vec::new();
    for (at, name) in ["p50", "p99"].into_iter().enumerate() {
        let (alone, beside) = (middle(&|round| round.alone[at]), middle(&|round| round.beside[at]));
        let ratio = middle(&|round| round.beside[at] / round.alone[at]);
        report.keep(format!("late.{name}_alone_ms"), alone);
        report.keep(format!("late.{name}_beside_ms"), beside);
        report.keep(format!("late.{name}_ratio"), ratio);
        let ms = |value: f64| format!("{value:.0}");
        rows.push([
            format!("accepted → visible at 1,000/s, {name}"),
            ms(alone),
            ms(beside),
            format!("{ratio:.2}"),
        ]);
    }
    report.keep("late.took_s".to_owned(), took);
    let title = format!(
        "Late source maps of {} issues with {EVENTS_EACH} events each, beside a stream of {} s (medians of {})",
        plan.late_issues,
        plan.steady.as_secs(),
        plan.rounds
    );
    table(&title, &["ms", "alone", "beside late maps", "÷"], &rows);
    println!("  resolving them again took {took:.1} s, beside the stream");
}
