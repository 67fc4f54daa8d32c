//! The pull requests of sessions, and their state.

use crate::error::Result;
use crate::ids::{ConnectionId, OrganizationId, RepositoryId, SessionId};
use crate::sessions::Comment;
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

/// How long after a pull request became known its code host is first asked what became of it, in milliseconds.
pub const FIRST_CHECK: i64 = 5 * MINUTE;

/// The session that opened a pull request of a repository: the newest if there are several. `is_of`: whether the address alone says
/// that it is one of the repository, for sessions that name none.
pub fn session(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, is_of): (&str, bool),
) -> Result<Option<SessionId>> {
    let id = tx
        .prepare_cached(
            "select id from sessions where pull_request_url = ?2 and organization_id = ?1
                 and (repo_id = ?3 or (repo_id is null and ?4))
             order by number desc limit 1",
        )?
        .query_row(params![organization.0, pull_request, repository, is_of], |row| row.get(0));
    Ok(id.optional()?)
}

/// Notes that a session's pull request was merged; `false` if that is known already.
pub fn merge(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<bool> {
    let changed = tx
        .prepare_cached(
            "update sessions set merged_at = ?2, closed_at = null, closed_by = null, pull_check_at = null
             where id = ?1 and merged_at is null",
        )?
        .execute(params![id, now.millis()])?;
    Ok(changed > 0)
}

/// Notes that it was closed without being merged, and by whom; `false` if it is known to be merged or closed.
pub fn close(tx: &Transaction<'_>, id: SessionId, by: Option<&str>, now: Timestamp) -> Result<bool> {
    let changed = tx
        .prepare_cached(
            "update sessions set closed_at = ?2, closed_by = ?3
             where id = ?1 and merged_at is null and closed_at is null",
        )?
        .execute(params![id, now.millis(), by])?;
    Ok(changed > 0)
}

/// Notes that it is open again; `false` if it is not known to be closed.
pub fn reopen(tx: &Transaction<'_>, id: SessionId) -> Result<bool> {
    let changed = tx
        .prepare_cached(
            "update sessions set closed_at = null, closed_by = null where id = ?1 and closed_at is not null",
        )?
        .execute(params![id])?;
    Ok(changed > 0)
}

/// Stores the last comment. A late one does not replace a newer one.
pub fn comment(tx: &Transaction<'_>, id: SessionId, comment: &Comment) -> Result<()> {
    tx.prepare_cached(
        "update sessions set last_comment = ?2
         where id = ?1 and (last_comment is null or last_comment ->> 'at' <= ?3)",
    )?
    .execute(params![id, json!(comment).to_string(), comment.at.to_string()])?;
    Ok(())
}

/// Names the pull request of a session that was opened for it.
pub fn set_pull_request(tx: &Transaction<'_>, id: SessionId, url: &str, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set pull_request_url = ?2, pull_check_at = ?3 where id = ?1 and pull_request_url is null",
    )?
    .execute(params![id, url, now.plus(FIRST_CHECK).millis()])?;
    Ok(())
}

/// A pull request whose code host is to be asked what became of it.
#[derive(Debug, Clone)]
pub struct DueCheck {
    pub session: SessionId,
    pub organization: OrganizationId,
    pub repository: Option<RepositoryId>,
    pub url: String,
    /// When the session was created, and when it was last active.
    pub created_at: Timestamp,
    pub last_activity_at: Timestamp,
    /// How often in a row the host could not be asked.
    pub failures: u32,
}

/// Those that are to be asked for now, the one that waits longest first.
pub fn due(c: &Connection, now: Timestamp, most: i64) -> Result<Vec<DueCheck>> {
    let mut statement = c.prepare_cached(
        "select id, organization_id, repo_id, pull_request_url, created_at, last_activity_at, pull_failures from sessions
         where pull_check_at <= ?1 and pull_request_url is not null order by pull_check_at, number limit ?2",
    )?;
    let time = |row: &Row<'_>, index| row.get(index).map(Timestamp::from_millis);
    let rows = statement.query_map(params![now.millis(), most], |row| {
        Ok(DueCheck {
            session: row.get(0)?,
            organization: OrganizationId(row.get(1)?),
            repository: row.get(2)?,
            url: row.get(3)?,
            created_at: time(row, 4)?,
            last_activity_at: time(row, 5)?,
            failures: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Asks next at a time, or never again; `failures`: how often in a row it failed. One that was merged meanwhile stays as it is.
pub fn check_at(tx: &Transaction<'_>, id: SessionId, at: Option<Timestamp>, failures: u32) -> Result<()> {
    tx.prepare_cached(
        "update sessions set pull_check_at = ?2, pull_failures = ?3 where id = ?1 and pull_check_at is not null",
    )?
    .execute(params![id, at.map(Timestamp::millis), failures])?;
    Ok(())
}

/// Asks for none in a connection's repositories before a time, because its code host cannot be asked.
pub fn put_off_all(
    tx: &Transaction<'_>,
    connection: ConnectionId,
    (until, failures): (Timestamp, u32),
) -> Result<()> {
    tx.prepare_cached(
        "update sessions set pull_check_at = max(pull_check_at, ?2), pull_failures = max(pull_failures, ?3)
         where pull_check_at is not null
             and repo_id in (select id from repositories where connection_id = ?1)",
    )?
    .execute(params![connection, until.millis(), failures])?;
    Ok(())
}

/// Whether a connection's code host answered when it was last asked for another one.
pub fn is_answered(tx: &Transaction<'_>, connection: ConnectionId, except: SessionId) -> Result<bool> {
    let found = tx
        .prepare_cached(
            "select 1 from sessions where repo_id in (select id from repositories where connection_id = ?1)
                 and pull_check_at is not null and pull_failures = 0 and id <> ?2 limit 1",
        )?
        .query_row(params![connection, except], |_| Ok(()));
    Ok(found.optional()?.is_some())
}
