//! Fingerprints of issues. The digest's look-up by fingerprint is in `digest/apply.rs`.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction, params};

/// Whether a project has fingerprints of versions before `version`.
///
/// # Errors
/// Storage trouble.
pub fn has_former(c: &Connection, project: ProjectId, version: u16) -> Result<bool> {
    let query = "select exists (select 1 from issue_fingerprints where project_id = ?1 and version < ?2)";
    Ok(c.prepare_cached(query)?.query_row(params![project.0, version], |row| row.get(0))?)
}

/// Assigns a fingerprint to an issue, unless it is assigned already.
///
/// # Errors
/// Storage trouble.
pub fn add(
    tx: &Transaction<'_>,
    issue: IssueId,
    (project, version, fingerprint): (ProjectId, u16, [u8; 16]),
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into issue_fingerprints (project_id, version, fingerprint, issue_id, created_at)
         values (?1, ?2, ?3, ?4, ?5) on conflict do nothing",
    )?
    .execute(params![project.0, version, fingerprint, issue.0, now.millis()])?;
    Ok(())
}
