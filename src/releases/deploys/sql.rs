//! All statements on deploys.

use super::{CheckedDeploy, DEPLOYS_MAX, Deploy, DeployFilter};
use crate::error::{Error, Result};
use crate::ids::{DeployId, ProjectId, ReleaseId};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const DEPLOY: &str =
    "d.id, d.release_id, r.version, d.environment, d.name, d.url, d.started_at, d.finished_at,
    d.created_at";
const FROM: &str = "from deploys d join releases r on r.id = d.release_id";

/// Stores a deploy. If the same was stored before, returns `false` and the stored one: a pipeline that missed the
/// answer sends it again.
///
/// # Errors
/// 409 if the release has too many.
pub fn add(
    tx: &Transaction<'_>,
    (project, release): (ProjectId, ReleaseId),
    new: &CheckedDeploy,
    now: Timestamp,
) -> Result<(Deploy, bool)> {
    let given = params![
        project.0,
        release.0,
        new.environment,
        new.name,
        new.url,
        new.started_at.map(Timestamp::millis),
        new.finished_at.millis(),
    ];
    let known: Option<i64> = tx
        .prepare_cached(
            "select id from deploys where project_id = ?1 and release_id = ?2 and environment = ?3 and name is ?4
                 and url is ?5 and started_at is ?6 and finished_at = ?7",
        )?
        .query_row(given, |row| row.get(0))
        .optional()?;
    let id = match known {
        Some(known) => known,
        None => {
            check_room(tx, release)?;
            tx.prepare_cached(
                "insert into deploys (project_id, release_id, environment, name, url, started_at, finished_at, created_at)
                 values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                project.0,
                release.0,
                new.environment,
                new.name,
                new.url,
                new.started_at.map(Timestamp::millis),
                new.finished_at.millis(),
                now.millis()
            ])?;
            tx.last_insert_rowid()
        }
    };
    let stored = tx
        .prepare_cached(&format!("select {DEPLOY} {FROM} where d.id = ?1"))?
        .query_row([id], deploy)
        .optional()?
        .ok_or_else(|| Error::internal("a deploy that was just stored does not exist"))?;
    Ok((stored, known.is_none()))
}

fn check_room(c: &Connection, release: ReleaseId) -> Result<()> {
    let count: i64 = c
        .prepare_cached("select count(*) from deploys where release_id = ?1")?
        .query_row([release.0], |row| row.get(0))?;
    if count < DEPLOYS_MAX {
        return Ok(());
    }
    Err(Error::conflict(format!("The release has {DEPLOYS_MAX} deploys, and can have no more.")))
}

/// A release's deploys, the last first, and how many there are.
pub fn of_release(c: &Connection, release: ReleaseId, page: Page) -> Result<(Vec<Deploy>, i64)> {
    let total = c
        .prepare_cached("select count(*) from deploys where release_id = ?1")?
        .query_row([release.0], |row| row.get(0))?;
    let query = format!(
        "select {DEPLOY} {FROM} where d.release_id = ?1 order by d.finished_at desc, d.id desc limit ?2 offset ?3"
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params![release.0, page.limit, page.offset], deploy)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

/// A project's deploys, the last first, and how many there are.
pub fn of_project(
    c: &Connection,
    project: ProjectId,
    filter: &DeployFilter,
    page: Page,
) -> Result<(Vec<Deploy>, i64)> {
    const FITS: &str = "d.project_id = ?1 and d.finished_at >= ?2 and (?3 is null or d.environment = ?3)";
    let since = filter.since.map_or(i64::MIN, Timestamp::millis);
    let total = c
        .prepare_cached(&format!("select count(*) from deploys d where {FITS}"))?
        .query_row(params![project.0, since, filter.environment], |row| row.get(0))?;
    let query = format!(
        "select {DEPLOY} {FROM} where {FITS} order by d.finished_at desc, d.id desc limit ?4 offset ?5"
    );
    let mut statement = c.prepare_cached(&query)?;
    let given = params![project.0, since, filter.environment, page.limit, page.offset];
    let rows = statement.query_map(given, deploy)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

fn deploy(row: &Row<'_>) -> rusqlite::Result<Deploy> {
    Ok(Deploy {
        id: DeployId(row.get(0)?),
        release_id: ReleaseId(row.get(1)?),
        version: row.get(2)?,
        environment: row.get(3)?,
        name: row.get(4)?,
        url: row.get(5)?,
        started_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        finished_at: Timestamp::from_millis(row.get(7)?),
        created_at: Timestamp::from_millis(row.get(8)?),
    })
}
