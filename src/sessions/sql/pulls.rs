//! The pull requests of sessions, and their state.

use crate::error::Result;
use crate::ids::{OrganizationId, RepositoryId, SessionId};
use crate::sessions::Comment;
use crate::time::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::json;

/// The session that opened a pull request of a repository: the newest if there are several. `is_of`: whether the
/// address alone shows that it belongs to the repository, for sessions without one.
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
            "update sessions set merged_at = ?2, closed_at = null, closed_by = null where id = ?1 and merged_at is null",
        )?
        .execute(params![id, now.millis()])?;
    Ok(changed > 0)
}

/// Notes that it was closed without being merged, and by whom; `false` if it is known to be merged or closed.
pub fn close(tx: &Transaction<'_>, id: SessionId, by: &str, now: Timestamp) -> Result<bool> {
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
pub fn set_pull_request(tx: &Transaction<'_>, id: SessionId, url: &str) -> Result<()> {
    tx.prepare_cached("update sessions set pull_request_url = coalesce(pull_request_url, ?2) where id = ?1")?
        .execute(params![id, url])?;
    Ok(())
}
