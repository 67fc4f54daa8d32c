//! Releases whose events are to be resolved again, and the effects on their issues.

use super::{AWAITED_MAX, LateProgress};
use crate::error::Result;
use crate::event::DebugId;
use crate::ids::{IssueId, ProjectId, ReleaseId};
use crate::issues::activity::{self, Kind};
use crate::releases::sql::value_of;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::json;
use std::collections::HashSet;

/// A release whose events are being resolved again.
#[derive(Debug, Clone)]
pub struct LateRelease {
    pub id: ReleaseId,
    pub project: ProjectId,
    pub version: String,
    pub requested_at: Timestamp,
    /// The last issue that was looked at; 0 at the beginning.
    pub last_issue: IssueId,
}

const BEGIN_ANEW: &str = "on conflict do update set requested_at = excluded.requested_at, finished_at = null,
    last_issue = 0, issue_count = 0, issues_done = 0, issues_changed = 0";

/// Requests that the events which a source map of the release may resolve are resolved again: the release's events,
/// and those that wait for its debug id. Does nothing if there are none.
pub fn request(
    tx: &Transaction<'_>,
    release: ReleaseId,
    debug_id: Option<DebugId>,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(&format!(
        "insert into late_maps (release_id, requested_at)
         select r.id, ?2 from releases r
         where r.id = ?1 and (
             exists (select 1 from release_counts s
                 where s.project_id = r.project_id and s.version = r.version and s.event_count > 0)
             or exists (select 1 from awaited_maps w join issues i on i.id = w.issue_id
                 where w.debug_id = ?3 and i.project_id = r.project_id))
         {BEGIN_ANEW}"
    ))?
    .execute(params![release.0, now.millis(), debug_id.map(|id| id.0)])?;
    Ok(())
}

/// The same, if a source map was stored after the first `uploads`: an event that was prepared before an upload and
/// applied after it used none of the new maps, and the upload did not see the event.
pub fn request_since(
    tx: &Transaction<'_>,
    (project, version): (ProjectId, &str),
    uploads: i64,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(&format!(
        "insert into late_maps (release_id, requested_at)
         select id, ?4 from releases where project_id = ?1 and version = ?2 and uploads > ?3
         {BEGIN_ANEW}"
    ))?
    .execute(params![project.0, version, uploads, now.millis()])?;
    Ok(())
}

/// Records that an issue has a frame with a debug id that no source map had when its event was prepared, last seen at
/// a time in milliseconds since the epoch. If a map arrived in between, requests its release.
pub fn await_map(
    tx: &Transaction<'_>,
    (project, issue): (ProjectId, IssueId),
    id: DebugId,
    last_seen: i64,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into awaited_maps (issue_id, debug_id, last_seen) values (?1, ?2, ?3)
         on conflict do update set last_seen = max(last_seen, excluded.last_seen)",
    )?
    .execute(params![issue.0, id.0, last_seen])?;
    tx.prepare_cached(
        "delete from awaited_maps where issue_id = ?1 and debug_id in (
             select debug_id from awaited_maps where issue_id = ?1 order by last_seen desc limit -1 offset ?2)",
    )?
    .execute(params![issue.0, AWAITED_MAX])?;
    tx.prepare_cached(&format!(
        "insert into late_maps (release_id, requested_at)
         select r.id, ?3 from releases r join source_maps m on m.release_id = r.id
         where m.debug_id = ?1 and r.project_id = ?2 {BEGIN_ANEW}"
    ))?
    .execute(params![id.0, project.0, now.millis()])?;
    Ok(())
}

/// The awaited debug ids of an issue that source maps of the release have.
pub fn arrived(c: &Connection, issue: IssueId, release: ReleaseId) -> Result<HashSet<DebugId>> {
    let mut statement = c.prepare_cached(
        "select w.debug_id from awaited_maps w where w.issue_id = ?1 and exists (
             select 1 from source_maps m where m.debug_id = w.debug_id and m.release_id = ?2)",
    )?;
    let rows = statement.query_map((issue.0, release.0), |row| row.get(0).map(DebugId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The release that has waited longest, if its last upload is before `until`.
pub fn next(c: &Connection, until: Timestamp) -> Result<Option<LateRelease>> {
    let mut statement = c.prepare_cached(
        "select r.id, r.project_id, r.version, l.requested_at, l.last_issue from late_maps l
         join releases r on r.id = l.release_id
         where l.finished_at is null and l.requested_at <= ?1 order by l.requested_at limit 1",
    )?;
    let found = statement.query_row([until.millis()], |row| {
        Ok(LateRelease {
            id: ReleaseId(row.get(0)?),
            project: ProjectId(row.get(1)?),
            version: row.get(2)?,
            requested_at: Timestamp::from_millis(row.get(3)?),
            last_issue: IssueId(row.get(4)?),
        })
    });
    Ok(found.optional()?)
}

/// The progress of a release; `None` if there was no request.
pub fn progress(c: &Connection, release: ReleaseId) -> Result<Option<LateProgress>> {
    let mut statement = c.prepare_cached(
        "select requested_at, finished_at, issue_count, issues_done, issues_changed from late_maps
         where release_id = ?1",
    )?;
    let found = statement.query_row([release.0], |row| {
        Ok(LateProgress {
            requested_at: Timestamp::from_millis(row.get(0)?),
            finished_at: row.get::<_, Option<i64>>(1)?.map(Timestamp::from_millis),
            issue_count: row.get(2)?,
            issues_done: row.get(3)?,
            issues_changed: row.get(4)?,
        })
    });
    Ok(found.optional()?)
}

/// Of the issues that await a debug id of the release: `?3` is the release, `?4` its project.
const AWAITING: &str = "from source_maps m join awaited_maps w on w.debug_id = m.debug_id
    join issues i on i.id = w.issue_id
    where m.release_id = ?3 and m.debug_id is not null and i.project_id = ?4";

/// Issues that may have events which the release's source maps resolve, after the last processed one, with the times
/// of their last such events; and their total number.
pub fn issues(c: &Connection, late: &LateRelease, limit: i64) -> Result<(Vec<(IssueId, Timestamp)>, i64)> {
    let (facet, value) = value_of(c, late.project, &late.version)?.unzip();
    let mut statement = c.prepare_cached(&format!(
        "select issue_id, max(last_seen) from (
             select * from (select issue_id, last_seen from issue_facets
                 where facet_id = ?1 and value_id = ?2 and issue_id > ?5 order by issue_id limit ?6)
             union all
             select * from (select w.issue_id, max(w.last_seen) {AWAITING} and w.issue_id > ?5
                 group by w.issue_id order by w.issue_id limit ?6))
         group by issue_id order by issue_id limit ?6"
    ))?;
    let wanted = params![facet, value, late.id.0, late.project.0, late.last_issue.0, limit];
    let rows =
        statement.query_map(wanted, |row| Ok((IssueId(row.get(0)?), Timestamp::from_millis(row.get(1)?))))?;
    let issues = rows.collect::<rusqlite::Result<_>>()?;
    let count = c
        .prepare_cached(&format!(
            "select (select count(*) from issue_facets where facet_id = ?1 and value_id = ?2)
                 + (select count(distinct w.issue_id) {AWAITING} and not exists (select 1 from issue_facets f
                     where f.issue_id = w.issue_id and f.facet_id = ?1 and f.value_id = ?2))"
        ))?
        .query_row(params![facet, value, late.id.0, late.project.0], |row| row.get(0))?;
    Ok((issues, count))
}

/// Stores the progress of a release, unless another upload has started it again.
pub fn advance(
    tx: &Transaction<'_>,
    late: &LateRelease,
    (last, done, changed): (IssueId, i64, i64),
    issue_count: i64,
) -> Result<()> {
    tx.prepare_cached(
        "update late_maps set last_issue = ?3, issues_done = issues_done + ?4, issues_changed = issues_changed + ?5,
             issue_count = ?6
         where release_id = ?1 and requested_at = ?2",
    )?
    .execute(params![late.id.0, late.requested_at.millis(), last.0, done, changed, issue_count])?;
    Ok(())
}

/// Records that a release is done, and that nothing waits for its source maps any more, unless another upload has
/// started it again.
pub fn finish(tx: &Transaction<'_>, late: &LateRelease, now: Timestamp) -> Result<()> {
    let is_done = tx
        .prepare_cached("update late_maps set finished_at = ?3 where release_id = ?1 and requested_at = ?2")?
        .execute(params![late.id.0, late.requested_at.millis(), now.millis()])?;
    if is_done > 0 {
        tx.prepare_cached(
            "delete from awaited_maps
             where debug_id in (select debug_id from source_maps where release_id = ?1 and debug_id is not null)
                 and (select project_id from issues where id = issue_id) = ?2",
        )?
        .execute((late.id.0, late.project.0))?;
    }
    Ok(())
}

/// Adds a fingerprint to an issue, so that later events find it. If another issue has it, records that on both.
/// Returns whether anything changed.
pub fn add_fingerprint(
    tx: &Transaction<'_>,
    issue: IssueId,
    (project, version, fingerprint): (ProjectId, u16, [u8; 16]),
    now: Timestamp,
) -> Result<bool> {
    let owner: Option<i64> = tx
        .prepare_cached(
            "select issue_id from issue_fingerprints where project_id = ?1 and version = ?2 and fingerprint = ?3",
        )?
        .query_row(params![project.0, version, fingerprint], |row| row.get(0))
        .optional()?;
    match owner.map(IssueId) {
        None => {
            crate::issues::sql::fingerprints::add(tx, issue, (project, version, fingerprint), now)?;
            Ok(true)
        }
        Some(owner) if owner == issue => Ok(false),
        Some(owner) => {
            let one = say_same(tx, issue, owner, now)?;
            Ok(say_same(tx, owner, issue, now)? || one)
        }
    }
}

/// Records once that two issues are the same by their original frames.
fn say_same(tx: &Transaction<'_>, issue: IssueId, other: IssueId, now: Timestamp) -> Result<bool> {
    let is_said: bool = tx
        .prepare_cached(
            "select exists (select 1 from activity where issue_id = ?1 and kind = 'same_as'
                 and json_extract(data, '$.issue_id') = ?2)",
        )?
        .query_row((issue.0, other.0), |row| row.get(0))?;
    let short_id: Option<String> = tx
        .prepare_cached(
            "select upper(p.slug) || '-' || i.number from issues i join projects p on p.id = i.project_id where i.id = ?1",
        )?
        .query_row([other.0], |row| row.get(0))
        .optional()?;
    let Some(short_id) = short_id.filter(|_| !is_said) else { return Ok(false) };
    let mut entry = activity::New::automatic(Kind::SameAs);
    entry.data = json!({"issue_id": other, "short_id": short_id});
    activity::sql::add(tx, issue, &entry, now)?;
    Ok(true)
}
