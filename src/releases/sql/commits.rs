//! Which commit a release was built from.

use super::get;
use crate::error::Result;
use crate::ids::{ProjectId, ReleaseId};
use crate::releases::Release;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Stores the commit of a release. A finalized release keeps its commit.
pub fn set_commit(
    tx: &Transaction<'_>,
    project: ProjectId,
    version: &str,
    commit: &str,
) -> Result<Option<Release>> {
    tx.prepare_cached(
        "update releases set commit_sha = ?3
         where project_id = ?1 and version = ?2 and (commit_sha is null or finalized_at is null)",
    )?
    .execute(params![project.0, version, commit])?;
    get(tx, project, version)
}

/// The commit of a release: from the pipeline, or its version if that is a commit.
pub fn commit_of(release: &Release) -> Option<&str> {
    release.commit.as_deref().or_else(|| is_whole(&release.version).then_some(release.version.as_str()))
}

/// Whether this is a commit's whole id, of SHA-1 or SHA-256.
fn is_whole(version: &str) -> bool {
    matches!(version.len(), 40 | 64) && version.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The newest earlier release that was built from another commit.
pub fn with_commit_before(
    c: &Connection,
    project: ProjectId,
    id: ReleaseId,
    commit: &str,
) -> Result<Option<Release>> {
    let found: Option<String> = c
        .prepare_cached(
            "select version from releases
             where project_id = ?1 and id < ?2 and coalesce(commit_sha, version) <> ?3
                 and (commit_sha is not null
                     or (length(version) in (40, 64) and version not glob '*[^0-9a-f]*'))
             order by id desc limit 1",
        )?
        .query_row(params![project.0, id.0, commit], |row| row.get(0))
        .optional()?;
    match found {
        Some(version) => get(c, project, &version),
        None => Ok(None),
    }
}
