//! The pull requests of sessions, and what became of them.

use crate::error::Result;
use crate::ids::{OrganizationId, RepositoryId, SessionId};
use crate::sessions::Comment;
use crate::time::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::json;

/// Notes that a pull request of a repository was merged, and returns its session: the newest if there are several.
/// `None` if there is none, or it is known already. `is_of`: whether the address alone says that it is one of the
/// repository, for sessions that name none.
pub fn merge(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, is_of): (&str, bool),
    now: Timestamp,
) -> Result<Option<SessionId>> {
    let id = tx
        .prepare_cached(
            "update sessions set merged_at = ?3, closed_at = null, closed_by = null where merged_at is null and number = (
                 select number from sessions where pull_request_url = ?2 and organization_id = ?1
                     and (repo_id = ?4 or (repo_id is null and ?5))
                 order by number desc limit 1) returning id",
        )?
        .query_row(params![organization.0, pull_request, now.millis(), repository, is_of], |row| row.get(0));
    Ok(id.optional()?)
}

/// Notes that a pull request was closed without being merged, and by whom, as [`merge`] does of those that were.
pub fn close(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, is_of): (&str, bool),
    (by, now): (&str, Timestamp),
) -> Result<Option<SessionId>> {
    let id = tx
        .prepare_cached(
            "update sessions set closed_at = ?3, closed_by = ?6 where merged_at is null and closed_at is null and number = (
                 select number from sessions where pull_request_url = ?2 and organization_id = ?1
                     and (repo_id = ?4 or (repo_id is null and ?5))
                 order by number desc limit 1) returning id",
        )?
        .query_row(params![organization.0, pull_request, now.millis(), repository, is_of, by], |row| row.get(0));
    Ok(id.optional()?)
}

/// Notes that a pull request that was closed is open again, as [`merge`] does of those that were merged.
pub fn reopen(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, is_of): (&str, bool),
) -> Result<Option<SessionId>> {
    let id = tx
        .prepare_cached(
            "update sessions set closed_at = null, closed_by = null where closed_at is not null and number = (
                 select number from sessions where pull_request_url = ?2 and organization_id = ?1
                     and (repo_id = ?3 or (repo_id is null and ?4))
                 order by number desc limit 1) returning id",
        )?
        .query_row(params![organization.0, pull_request, repository, is_of], |row| row.get(0));
    Ok(id.optional()?)
}

/// Keeps what was written last on a pull request, with the session that [`merge`] would find. What comes later than it should
/// replaces nothing newer.
pub fn comment(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, is_of): (&str, bool),
    comment: &Comment,
) -> Result<()> {
    tx.prepare_cached(
        "update sessions set last_comment = ?3 where number = (
             select number from sessions where pull_request_url = ?2 and organization_id = ?1
                 and (repo_id = ?4 or (repo_id is null and ?5))
             order by number desc limit 1)
             and (last_comment is null or last_comment ->> 'at' <= ?6)",
    )?
    .execute(params![
        organization.0,
        pull_request,
        json!(comment).to_string(),
        repository,
        is_of,
        comment.at.to_string()
    ])?;
    Ok(())
}

/// Names the pull request of a session that was opened for it.
pub fn set_pull_request(tx: &Transaction<'_>, id: SessionId, url: &str) -> Result<()> {
    tx.prepare_cached("update sessions set pull_request_url = coalesce(pull_request_url, ?2) where id = ?1")?
        .execute(params![id, url])?;
    Ok(())
}
