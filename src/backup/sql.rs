//! All statements on scheduled backups.

use super::runs::{BackupOutcome, BackupRun, KEPT};
use crate::error::{Error, Result};
use crate::ids::BackupRunId;
use crate::time::Timestamp;
use rusqlite::{Connection, Row, Transaction, params};

/// An upload that was neither completed nor aborted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftUpload {
    pub target: String,
    pub name: String,
    pub upload_id: String,
}

/// Records the start of a backup, and deletes old runs.
pub fn begin(tx: &Transaction<'_>, target: &str, name: &str, now: Timestamp) -> Result<BackupRunId> {
    tx.execute(
        "insert into backup_runs (target, name, started_at) values (?1, ?2, ?3)",
        params![target, name, now.millis()],
    )?;
    let id = BackupRunId(tx.last_insert_rowid());
    tx.execute(
        "delete from backup_runs where id not in (select id from backup_runs order by id desc limit ?1)
             and id is not (select max(id) from backup_runs where outcome = 'succeeded')",
        [i64::try_from(KEPT).map_err(Error::internal)?],
    )?;
    Ok(id)
}

/// Records the storage's id of a backup's upload.
pub fn uploading(tx: &Transaction<'_>, id: BackupRunId, upload_id: &str) -> Result<()> {
    tx.execute("update backup_runs set upload_id = ?2 where id = ?1", params![id.0, upload_id])?;
    Ok(())
}

/// Records the outcome of a backup, whose upload has been completed or aborted.
pub fn end(
    tx: &Transaction<'_>,
    id: BackupRunId,
    outcome: BackupOutcome,
    size_bytes: Option<u64>,
    error: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let size = size_bytes.map(i64::try_from).transpose().map_err(Error::internal)?;
    tx.execute(
        "update backup_runs set outcome = ?2, ended_at = ?3, size_bytes = ?4, error = ?5, upload_id = null where id = ?1",
        params![id.0, outcome.as_str(), now.millis(), size, error],
    )?;
    Ok(())
}

/// Ends the backups that another process left unfinished, and returns their uploads.
pub fn end_left(tx: &Transaction<'_>, now: Timestamp) -> Result<Vec<LeftUpload>> {
    let left = {
        let mut statement = tx.prepare_cached(
            "select target, name, upload_id from backup_runs where outcome = 'running' and upload_id is not null",
        )?;
        let row =
            |row: &Row<'_>| Ok(LeftUpload { target: row.get(0)?, name: row.get(1)?, upload_id: row.get(2)? });
        statement.query_map((), row)?.collect::<rusqlite::Result<Vec<_>>>()?
    };
    tx.execute(
        "update backup_runs set outcome = 'failed', ended_at = ?1, upload_id = null,
             error = 'the server ended while it made this backup, or was restored from it'
         where outcome = 'running'",
        [now.millis()],
    )?;
    Ok(left)
}

/// All recorded runs, newest first.
pub fn list(c: &Connection) -> Result<Vec<BackupRun>> {
    let mut statement = c.prepare_cached(
        "select id, target, name, outcome, started_at, ended_at, size_bytes, error from backup_runs order by id desc",
    )?;
    let rows = statement.query_map((), run)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn run(row: &Row<'_>) -> rusqlite::Result<BackupRun> {
    let outcome: String = row.get(3)?;
    Ok(BackupRun {
        id: BackupRunId(row.get(0)?),
        target: row.get(1)?,
        name: row.get(2)?,
        // The table's check allows no other value.
        outcome: BackupOutcome::parse(&outcome).unwrap_or(BackupOutcome::Failed),
        started_at: Timestamp::from_millis(row.get(4)?),
        ended_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
        size_bytes: row.get::<_, Option<i64>>(6)?.and_then(|size| u64::try_from(size).ok()),
        error: row.get(7)?,
    })
}
