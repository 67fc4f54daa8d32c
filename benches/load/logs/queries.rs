//! Queries over a project of millions of entries, beside a project of a tenth: newest, rare and common words,
//! a trace, counts over a week.

use super::entries::{BATCH, COMMON_WORD, Pool, RARE_WORD};
use super::{CONNECTIONS, ends, stored, wait};
use crate::Result;
use crate::api::Api;
use crate::drive::{Load, closed, percentile};
use crate::process::memory;
use crate::report::{Report, table};
use crate::server::Server;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Times that a query is asked.
const TIMES: usize = 200;
/// A query is asked no longer than this.
const LONG: Duration = Duration::from_secs(3);

pub(crate) async fn measure(data: &Path, size: u64, report: &mut Report) -> Result<()> {
    let (mut server, _) = Server::mayday(data).await?;
    let mut api = Api::claim(&mut server).await?;
    let project = api.project("Large").await?;
    let beside = api.project("Beside").await?;
    let (start, end) = ends();
    let started = Instant::now();
    // Another project's entries lie between.
    for (project, size) in [(&project, size), (&beside, size / 10)] {
        let pool = Rc::new(RefCell::new(Pool::spread(&project.key, 5, (start, end), size)));
        let requests = size / BATCH as u64;
        let load = Load { connections: CONNECTIONS, time: Duration::from_secs(900), requests };
        let sent = closed(server.address, &pool, load).await.accepted() * BATCH as u64;
        wait(&mut api, project.id, sent).await?;
    }
    println!(
        "\n{size} entries and a tenth of them in another project: searchable after {:.0} s",
        started.elapsed().as_secs_f64()
    );
    // What was just written is still being merged.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let rows = ask(&mut api, project.id, (start, end), report, size).await?;
    table(&format!("Queries at {size} entries, ms"), &["", "entries", "p50", "p99"], &rows);
    let memory = memory(server.pid())?;
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    server.stop()?;
    let (database, index) = stored(data);
    let entries = (size + size / 10) as f64;
    println!(
        "\nmemory (PSS) after the queries: {:.0} MiB, of which {:.0} MiB are mapped files; on disk {:.0} bytes an entry in logs.db \
         and {:.0} in the index",
        mib(memory.all),
        mib(memory.files),
        database as f64 / entries,
        index as f64 / entries
    );
    report.at_most("disk an entry", (database + index) as f64 / entries, 190.0, 120.0, "bytes");
    let started = Instant::now();
    let (server, first) = Server::mayday(data).await?;
    println!(
        "start to first 200: {:.0} ms ({:.0} ms with the probes)",
        first.as_secs_f64() * 1e3,
        started.elapsed().as_secs_f64() * 1e3
    );
    report.at_most("start to first 200 with the logs", first.as_secs_f64() * 1e3, 50.0, 20.0, "ms");
    server.stop().map(drop)
}

async fn ask(
    api: &mut Api,
    project: i64,
    (start, end): (u64, u64),
    report: &mut Report,
    size: u64,
) -> Result<Vec<[String; 4]>> {
    let iso = |millis: u64| {
        let time = jiff::Timestamp::from_millisecond(millis as i64).map_err(|error| error.to_string())?;
        Ok::<_, String>(time.to_string())
    };
    let week = format!("start_time={}&end_time={}", iso(end - 7 * 86_400_000)?, iso(end)?);
    let day =
        format!("start_time={}&end_time={}", iso(start + 3 * 86_400_000)?, iso(start + 4 * 86_400_000)?);
    let hour = format!("start_time={}&end_time={}", iso(end - 3_600_000)?, iso(end)?);
    let base = format!("/api/v1/projects/{project}/logs");
    let newest = api.get(&format!("{base}?limit=1&offset=1000")).await?;
    let trace = newest["logs"][0]["trace_id"].as_str().ok_or("no trace")?.to_owned();
    let queries = [
        ("newest 100", String::new(), true),
        ("newest 100 of an hour", hour, true),
        ("newest 100 of a week", week.clone(), false),
        ("a rare word", format!("search={RARE_WORD}"), true),
        ("a common word", format!("search={COMMON_WORD}"), false),
        ("a common word, a week", format!("search={COMMON_WORD}&{week}"), false),
        ("a common word, a day, a level", format!("search={COMMON_WORD}&levels=error&{day}"), true),
        ("two words, a week", format!("search={COMMON_WORD}%20inventory&{week}"), false),
        ("a phrase, a day", format!("search=%22connection%20refused%22&{day}"), true),
        ("a trace", format!("trace_id={trace}"), true),
        ("an attribute", "search=attributes.host%3Aweb-3".to_owned(), false),
        ("not a word, a day", format!("search=-{COMMON_WORD}&{day}"), false),
    ];
    let mut rows = Vec::new();
    let (mut narrow, mut wide) = (0.0_f64, 0.0_f64);
    for (name, query, is_narrow) in queries {
        let path = format!("{base}?limit=100&{query}");
        let (total, p50, p99) = timed(api, &path).await?;
        let slowest = if is_narrow { &mut narrow } else { &mut wide };
        *slowest = slowest.max(p50);
        report.keep(format!("logs.{size}.{name}.p50_ms"), p50);
        rows.push([name.to_owned(), total.to_string(), format!("{p50:.2}"), format!("{p99:.2}")]);
    }
    for (name, path) in [
        ("histogram of a week", format!("{base}/histogram?{week}")),
        ("histogram of a week, a common word", format!("{base}/histogram?search={COMMON_WORD}&{week}")),
        ("templates of a day", format!("{base}/templates?{day}")),
        ("values of a field, a day", format!("{base}/fields?field=logger&{day}")),
        ("context of an entry", format!("{base}/context?id={}", newest["logs"][0]["id"])),
    ] {
        let (total, p50, p99) = timed(api, &path).await?;
        report.keep(format!("logs.{size}.{name}.p50_ms"), p50);
        rows.push([name.to_owned(), total.to_string(), format!("{p50:.2}"), format!("{p99:.2}")]);
    }
    report.at_most("slowest narrow log query, p50", narrow, 5.0, 2.0, "ms");
    report.at_most("slowest log query of many hits, p50", wide, 25.0, 10.0, "ms");
    Ok(rows)
}

/// How many there are, and the milliseconds of half and of nearly all askings.
pub(super) async fn timed(api: &mut Api, path: &str) -> Result<(u64, f64, f64)> {
    let (mut samples, started) = (Vec::new(), Instant::now());
    let mut total = 0;
    while samples.len() < TIMES && started.elapsed() < LONG {
        let asked = Instant::now();
        let answer = api.get(path).await?;
        samples.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
        total = answer["total"].as_u64().unwrap_or(0);
    }
    samples.sort_unstable();
    Ok((total, percentile(&samples, 0.5) / 1e3, percentile(&samples, 0.99) / 1e3))
}
