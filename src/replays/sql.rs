//! Statements on replays and their segments.

mod apply;
mod environments;
mod lag;
mod links;
pub mod oldest;
mod parts;
mod span;

pub use apply::apply;
pub use environments::environments;
pub use links::{ReplayHints, of_event};
pub use parts::{note_damage, parts};

use super::{LIVE, Replay, ReplayError};
use crate::error::Result;
use crate::event::key;
use crate::event::replay::FileName;
use crate::ids::{IssueId, OrganizationId, ProjectId, UserId};
use crate::store::Page;
use crate::time::Timestamp;
use crate::usage::Days;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params, params};

/// Replays removed in one transaction when a project is deleted.
const REMOVED_AT_ONCE: i64 = 100;

/// The sums of a project's replays, by the day on which their first segment was received.
pub const DAYS: Days = Days("replay_days");

const REPLAY: &str = "r.replay_key, r.project_id, r.session_id, r.window_id, r.event_id, r.started_at, r.ended_at,
    r.environment, r.release, r.url, r.urls, r.user, r.account, r.user_agent, r.segments, r.total, r.latest_at,
    r.has_snapshot, r.events, r.clicks, r.bytes, r.scrubbed, r.received_at, r.id, r.latest_place,
    r.rrweb_version";

/// A replay as read, with the id of its row; without what other rows tell of it.
struct ReplayRow {
    row: i64,
    replay: Replay,
}

impl ReplayRow {
    /// With how many errors happened during it, and how far its browser's clock was off.
    fn filled(self, c: &Connection) -> Result<Replay> {
        let (error_count, clock_lag_ms) = (links::count(c, self.row)?, lag::of(c, self.row)?);
        Ok(Replay { error_count, clock_lag_ms, ..self.replay })
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<ReplayRow> {
    let (start, end, latest_at): (i64, i64, i64) = (row.get(5)?, row.get(6)?, row.get(16)?);
    let (chunks, total): (i64, Option<i64>) = (row.get(14)?, row.get(15)?);
    let json = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok());
    let urls: String = row.get(10)?;
    let latest: i64 = row.get(24)?;
    // Of a client that is wrong about how many there are, the highest counts.
    let total = total.map(|total| total.max(latest + 1));
    let is_complete = total == Some(chunks);
    Ok(ReplayRow {
        row: row.get(23)?,
        replay: Replay {
            replay_id: key::decode(row.get_ref(0)?.as_blob()?),
            project_id: ProjectId(row.get(1)?),
            session_id: row.get(2)?,
            window_id: row.get(3)?,
            event_id: row.get(4)?,
            start_timestamp: start,
            end_timestamp: end,
            duration_ms: end - start,
            environment: row.get(7)?,
            release: row.get(8)?,
            url: row.get(9)?,
            urls: serde_json::from_str(&urls).unwrap_or_default(),
            user: json(row.get(11)?),
            account: json(row.get(12)?),
            user_agent: row.get(13)?,
            rrweb_version: row.get(25)?,
            chunks,
            total_chunks: total,
            is_complete,
            is_live: !is_complete && Timestamp::now().millis() - latest_at < LIVE,
            has_full_snapshot: row.get(17)?,
            event_count: row.get(18)?,
            click_count: row.get(19)?,
            error_count: 0,
            bytes: row.get(20)?,
            scrubbed: row.get(21)?,
            received_at: Timestamp::from_millis(row.get(22)?),
            clock_lag_ms: None,
        },
    })
}

/// The filters of a list; parts of texts are in lower case.
#[derive(Debug, Default)]
pub struct Filter {
    /// A part of an id, e-mail or name of the user or account.
    pub user: Option<String>,
    /// A part of the address of a page.
    pub url: Option<String>,
    pub has_error: Option<bool>,
    pub environment: Option<String>,
    pub release: Option<String>,
    /// Only those in which an event of this issue happened.
    pub issue: Option<IssueId>,
    /// Only those that began then or later.
    pub since: Option<Timestamp>,
}

/// A page of a project's replays, newest first, and how many there are.
pub fn list(c: &Connection, project: ProjectId, filter: &Filter, page: Page) -> Result<(Vec<Replay>, i64)> {
    let any = links::exists("");
    let of_issue = links::exists("and e.issue_id = :issue");
    let query = format!(
        "from replays r where r.project_id = :project and r.deleted_at is null and r.events > 0
         and (:user is null or instr(r.who, :user) > 0)
         and (:url is null or instr(lower(r.urls), :url) > 0 or instr(lower(r.url), :url) > 0)
         and (:environment is null or r.environment = :environment)
         and (:release is null or r.release = :release)
         and (:has_error is null or :has_error = ({any})) and (:issue is null or {of_issue})
         and r.started_at >= :since"
    );
    let issue = filter.issue.map(|issue| issue.0);
    let since = filter.since.map_or(i64::MIN, Timestamp::millis);
    let total = c.prepare_cached(&format!("select count(*) {query}"))?.query_row(
        named_params! {
            ":project": project.0, ":user": filter.user, ":url": filter.url, ":has_error": filter.has_error,
            ":environment": filter.environment, ":release": filter.release, ":issue": issue,
            ":since": since,
        },
        |row| row.get(0),
    )?;
    let list =
        format!("select {REPLAY} {query} order by r.started_at desc, r.id desc limit :limit offset :offset");
    let mut statement = c.prepare_cached(&list)?;
    let rows = statement.query_map(
        named_params! {
            ":project": project.0, ":user": filter.user, ":url": filter.url, ":has_error": filter.has_error,
            ":environment": filter.environment, ":release": filter.release, ":issue": issue,
            ":since": since, ":limit": page.limit, ":offset": page.offset,
        },
        read,
    )?;
    let replays = rows.map(|found| found?.filled(c)).collect::<Result<_>>()?;
    Ok((replays, total))
}

fn found(c: &Connection, project: ProjectId, replay_id: &str) -> Result<Option<ReplayRow>> {
    let query = format!(
        "select {REPLAY} from replays r where r.project_id = ?1 and r.replay_key = ?2 and r.deleted_at is null"
    );
    let row = params![project.0, key::encode(replay_id)];
    Ok(c.prepare_cached(&query)?.query_row(row, read).optional()?)
}

/// A replay without its errors, and how far its browser's clock was off.
pub fn bare(c: &Connection, project: ProjectId, replay_id: &str) -> Result<Option<Replay>> {
    Ok(found(c, project, replay_id)?.map(|found| found.replay))
}

/// A replay, and the errors that happened during it.
pub fn get(
    c: &Connection,
    project: ProjectId,
    replay_id: &str,
) -> Result<Option<(Replay, Vec<ReplayError>)>> {
    let Some(ReplayRow { row, replay }) = found(c, project, replay_id)? else { return Ok(None) };
    let (errors, clock_lag_ms) = (links::errors(c, row)?, lag::of(c, row)?);
    Ok(Some((Replay { error_count: errors.len() as i64, clock_lag_ms, ..replay }, errors)))
}

/// The projects that have a replay with this id, among those that a person may see.
pub fn projects_of(c: &Connection, replay_id: &str, user: UserId) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select r.project_id from replays r
         join projects p on p.id = r.project_id
         join memberships m on m.organization_id = p.organization_id
         where r.replay_key = ?1 and r.deleted_at is null and p.deleted_at is null and m.user_id = ?2
             and m.removed_at is null
         order by r.project_id",
    )?;
    let rows =
        statement.query_map(params![key::encode(replay_id), user.0], |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The projects of an organization that have a replay with this id.
pub fn projects_within(
    c: &Connection,
    replay_id: &str,
    organization: OrganizationId,
) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select r.project_id from replays r join projects p on p.id = r.project_id
         where r.replay_key = ?1 and r.deleted_at is null and p.deleted_at is null and p.organization_id = ?2
         order by r.project_id",
    )?;
    let rows = statement
        .query_map(params![key::encode(replay_id), organization.0], |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether a file belongs to a segment.
pub fn is_known(c: &Connection, file: &FileName) -> Result<bool> {
    let query = "select exists (select 1 from replay_segments where file = ?1)";
    Ok(c.prepare_cached(query)?.query_row([file], |row| row.get(0))?)
}

/// Deletes a replay's data; returns its files, or `None` if it does not exist. The row stays for a while, so that
/// late segments are dropped.
pub fn delete(
    tx: &Transaction<'_>,
    project: ProjectId,
    replay_id: &str,
    now: Timestamp,
) -> Result<Option<Vec<FileName>>> {
    let row: Option<i64> = tx
        .prepare_cached(
            "select id from replays where project_id = ?1 and replay_key = ?2 and deleted_at is null",
        )?
        .query_row(params![project.0, key::encode(replay_id)], |row| row.get(0))
        .optional()?;
    row.map(|row| delete_row(tx, row, now)).transpose()
}

fn delete_row(tx: &Transaction<'_>, row: i64, now: Timestamp) -> Result<Vec<FileName>> {
    tx.prepare_cached(
        "update replays set deleted_at = ?2, event_id = null, url = null, urls = '[]', user = null, account = null,
             who = '', user_agent = null, bytes = 0
         where id = ?1",
    )?
    .execute(params![row, now.millis()])?;
    tx.prepare_cached("delete from replay_errors where replay = ?1")?.execute([row])?;
    take_files(tx, row)
}

fn take_files(tx: &Transaction<'_>, row: i64) -> Result<Vec<FileName>> {
    let mut statement = tx.prepare_cached("delete from replay_segments where replay = ?1 returning file")?;
    let files = statement.query_map([row], |row| row.get::<_, Option<FileName>>(0))?;
    Ok(files.filter_map(rusqlite::Result::transpose).collect::<rusqlite::Result<_>>()?)
}

/// Removes some replays of a deleted project; returns their files, or `None` if none are left.
pub fn remove_some(tx: &Transaction<'_>, project: ProjectId) -> Result<Option<Vec<FileName>>> {
    let mut statement = tx.prepare_cached("select id from replays where project_id = ?1 limit ?2")?;
    let rows: Vec<i64> = statement
        .query_map([project.0, REMOVED_AT_ONCE], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut files = Vec::new();
    for row in rows {
        files.extend(take_files(tx, row)?);
        tx.prepare_cached("delete from replays where id = ?1")?.execute([row])?;
    }
    Ok(Some(files))
}

/// Forgets replays that were deleted before `then`.
pub fn forget_deleted(tx: &Transaction<'_>, then: Timestamp) -> Result<()> {
    tx.prepare_cached("delete from replays where deleted_at is not null and deleted_at < ?1")?
        .execute([then.millis()])?;
    Ok(())
}
