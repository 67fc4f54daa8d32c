//! Pages of a project whose entries all have one time, beside one with as many whose times differ.

use super::entries::{BATCH, COMMON_WORD, Pool};
use super::queries::timed;
use super::{CONNECTIONS, ends, wait};
use crate::Result;
use crate::api::{Api, Project};
use crate::drive::{Load, closed};
use crate::report::{Report, table};
use crate::server::Server;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

pub(crate) async fn measure(data: &Path, size: u64, report: &mut Report) -> Result<()> {
    let (mut server, _) = Server::mayday(data).await?;
    let mut api = Api::claim(&mut server).await?;
    let (start, end) = ends();
    let (distinct, moment) = (api.project("Distinct").await?, api.project("Moment").await?);
    let pools =
        [Pool::spread(&distinct.key, 5, (start, end), size), Pool::at(&moment.key, 5, (start + end) / 2)];
    for (project, pool) in [&distinct, &moment].into_iter().zip(pools) {
        let requests = size / BATCH as u64;
        let load = Load { connections: CONNECTIONS, time: Duration::from_secs(900), requests };
        let outcome = closed(server.address, &Rc::new(RefCell::new(pool)), load).await;
        wait(&mut api, project.id, outcome.accepted() * BATCH as u64).await?;
    }
    // What was just written is still being merged.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let mut rows = Vec::new();
    for (name, rest) in [
        ("newest 100", "?limit=100".to_owned()),
        ("100 behind 10,000", "?limit=100&offset=10000".to_owned()),
        ("100 behind 100,000", "?limit=100&offset=100000".to_owned()),
        ("a common word", format!("?limit=100&search={COMMON_WORD}")),
    ] {
        row(&mut api, [&distinct, &moment], name, |_| rest.clone(), (&mut rows, report)).await?;
    }
    let mut middle = Vec::new();
    for project in [&distinct, &moment] {
        let path = format!("/api/v1/projects/{}/logs?limit=1&offset=50000", project.id);
        middle.push((project.id, api.get(&path).await?["logs"][0]["id"].clone()));
    }
    let around = |project: &Project| {
        let entry = middle.iter().find(|(id, _)| *id == project.id).map(|(_, entry)| entry.to_string());
        format!("/context?id={}", entry.unwrap_or_default())
    };
    row(&mut api, [&distinct, &moment], "context of an entry", around, (&mut rows, report)).await?;
    let title = format!("{size} entries whose times differ, and as many of one time, ms");
    table(&title, &["", "differ p50", "p99", "one time p50", "p99", "ratio"], &rows);
    server.stop().map(drop)
}

/// The same asked of both.
async fn row(
    api: &mut Api,
    projects: [&Project; 2],
    name: &str,
    rest: impl Fn(&Project) -> String,
    (rows, report): (&mut Vec<[String; 6]>, &mut Report),
) -> Result<()> {
    let mut times = Vec::new();
    for project in projects {
        let path = format!("/api/v1/projects/{}/logs{}", project.id, rest(project));
        let (_, p50, p99) = timed(api, &path).await?;
        times.extend([p50, p99]);
    }
    let ratio = times[2] / times[0];
    report.keep(format!("logs.one_time.{name}.ratio"), ratio);
    if name == "newest 100" {
        report.at_most(
            "newest 100 of entries of one time ÷ of entries whose times differ",
            ratio,
            2.0,
            1.5,
            "×",
        );
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| format!("{:.2}", times[at]));
    rows.push([name.to_owned(), a, b, c, d, format!("{ratio:.2}")]);
    Ok(())
}
