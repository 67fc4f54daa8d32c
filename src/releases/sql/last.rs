//! Releases whose remaining events all belong to one issue: their users and hours are deleted in pieces before it is.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use rusqlite::{Transaction, params};

/// Deletes users and hours of the releases that no other issue has, at most `limit` rows at once; `false` once there are
/// none. Deleted with the release, they would be as many as there are.
pub fn forget_issue(tx: &Transaction<'_>, project: ProjectId, issue: IssueId, limit: i64) -> Result<bool> {
    let releases = tx
        .prepare_cached(
            "select s.id from issues i join facets k on k.project_id = i.project_id and k.name = 'release'
             join issue_facets f on f.issue_id = i.id and f.facet_id = k.id
             join facet_values v on v.id = f.value_id
             join release_counts s on s.project_id = ?1 and s.version = v.value and s.event_count <= f.count
             where i.id = ?2 and i.project_id = ?1",
        )?
        .query_map(params![project.0, issue.0], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut left = limit;
    for release in releases {
        left -= empty(tx, release, left)?;
        if left <= 0 {
            break;
        }
    }
    Ok(left < limit)
}

/// Deletes users and hours of a release, at most `limit` rows at once, and returns how many they were.
pub(super) fn empty(tx: &Transaction<'_>, release: i64, limit: i64) -> Result<i64> {
    let users = delete_users(tx, release, limit)?;
    if users > 0 {
        // Should another issue happen there meanwhile, they are counted again.
        tx.prepare_cached("update release_counts set user_count = user_count - ?2 where id = ?1")?
            .execute((release, users))?;
    }
    let hours = tx
        .prepare_cached(
            "delete from release_hours where (release_id, hour) in (
                 select release_id, hour from release_hours where release_id = ?1 limit ?2)",
        )?
        .execute((release, limit - users))? as i64;
    Ok(users + hours)
}

/// Deletes who the users of a release were, at most `limit` of them at once, and returns how many it deleted. The number
/// stays.
pub fn delete_users(tx: &Transaction<'_>, release: i64, limit: i64) -> Result<i64> {
    let deleted = tx
        .prepare_cached(
            "delete from release_users where (release_id, user) in (
                 select release_id, user from release_users where release_id = ?1 limit ?2)",
        )?
        .execute((release, limit))?;
    Ok(deleted as i64)
}
