//! How releases do: what their events add up to.

use super::{RELEASE, release};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::releases::{Figures, ReleaseHealth};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// All found by an index, and none of it grows with the issues of the project: the sums are kept, an
/// issue has one first release, and regressions are rows of their own.
const HEALTH: &str = "coalesce(s.event_count, 0), coalesce(s.issue_count, 0),
    (select count(*) from issues i where i.project_id = r.project_id and i.first_release = r.version),
    (select count(distinct a.issue_id) from activity a join issues i on i.id = a.issue_id
     where a.kind = 'regressed' and a.release = r.version and i.project_id = r.project_id),
    s.first_event_at, s.last_event_at";
const FROM: &str = "from releases r
    left join release_counts s on s.project_id = r.project_id and s.version = r.version and s.event_count > 0";

pub fn get_health(c: &Connection, project: ProjectId, version: &str) -> Result<Option<ReleaseHealth>> {
    let query = format!("select {RELEASE}, {HEALTH} {FROM} where r.project_id = ?1 and r.version = ?2");
    Ok(c.prepare_cached(&query)?.query_row(params![project.0, version], health).optional()?)
}

/// The releases whose version holds `part` (ASCII letters in either case), the newest first.
pub fn list(c: &Connection, project: ProjectId, part: &str, page: Page) -> Result<(Vec<ReleaseHealth>, i64)> {
    const FITS: &str = "r.project_id = ?1 and instr(lower(r.version), lower(?2)) > 0";
    let total = c
        .prepare_cached(&format!("select count(*) from releases r where {FITS}"))?
        .query_row(params![project.0, part], |row| row.get(0))?;
    // The page first: the figures are of its releases alone.
    let query = format!(
        "select {RELEASE}, {HEALTH} {FROM}
         where r.id in (select r.id from releases r where {FITS} order by r.id desc limit ?3 offset ?4)
         order by r.id desc"
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params![project.0, part, page.limit, page.offset], health)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

fn health(row: &Row<'_>) -> rusqlite::Result<ReleaseHealth> {
    let time = |index: usize| {
        Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis))
    };
    Ok(ReleaseHealth {
        release: release(row)?,
        figures: Figures {
            event_count: row.get(7)?,
            issue_count: row.get(8)?,
            new_issue_count: row.get(9)?,
            regression_count: row.get(10)?,
            first_event_at: time(11)?,
            last_event_at: time(12)?,
        },
    })
}

/// What a batch saw of a release.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub events: i64,
    /// Issues that it is new to.
    pub issues: i64,
    /// Milliseconds since the epoch.
    pub first: i64,
    pub last: i64,
}

/// Adds to the sums of a release, stored or not.
pub fn count(tx: &Transaction<'_>, project: ProjectId, version: &str, seen: Seen) -> Result<()> {
    tx.prepare_cached(
        "insert into release_counts (project_id, version, event_count, issue_count, first_event_at, last_event_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict do update set event_count = event_count + ?3, issue_count = issue_count + ?4,
             first_event_at = min(first_event_at, ?5), last_event_at = max(last_event_at, ?6)",
    )?
    .execute(params![project.0, version, seen.events, seen.issues, seen.first, seen.last])?;
    Ok(())
}

/// The issues that were seen last with a release, and when.
pub fn issues_seen(
    c: &Connection,
    project: ProjectId,
    version: &str,
    limit: i64,
) -> Result<Vec<(IssueId, Timestamp)>> {
    let mut statement = c.prepare_cached(
        "select f.issue_id, f.last_seen from issue_facets f cross join issues i on i.id = f.issue_id
         where f.facet = 'release' and f.value = ?2 and i.project_id = ?1 order by f.last_seen desc limit ?3",
    )?;
    let rows = statement.query_map(params![project.0, version, limit], |row| {
        Ok((IssueId(row.get(0)?), Timestamp::from_millis(row.get(1)?)))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
