//! The digest's position.

use crate::error::Result;
use crate::ids::ProjectId;
use rusqlite::{Connection, Transaction, params};
use std::collections::HashMap;

/// The position up to which all events are digested.
pub fn position(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select position from digest where id = 1", (), |row| row.get(0))?)
}

/// The number of batches that were applied, which is the revision of the texts.
pub fn revision(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select revision from digest where id = 1", (), |row| row.get(0))?)
}

/// The positions up to which projects were served ahead of the order.
pub(super) fn ahead(c: &Connection) -> Result<HashMap<ProjectId, i64>> {
    let mut statement = c.prepare_cached("select project_id, position from digest_ahead")?;
    let rows = statement.query_map((), |row| Ok((ProjectId(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Counts a batch, and returns the new number.
pub(super) fn revise(tx: &Transaction<'_>) -> Result<i64> {
    let mut statement =
        tx.prepare_cached("update digest set revision = revision + 1 where id = 1 returning revision")?;
    Ok(statement.query_row((), |row| row.get(0))?)
}

/// Moves the position, and drops positions of projects that are no longer ahead.
pub(super) fn reach(tx: &Transaction<'_>, last: i64) -> Result<()> {
    tx.prepare_cached("update digest set position = max(position, ?1) where id = 1")?.execute([last])?;
    tx.prepare_cached("delete from digest_ahead where position <= ?1")?.execute([last])?;
    Ok(())
}

/// Stores that the events of a project are digested up to a position, unless the project was deleted.
pub(super) fn reach_ahead(tx: &Transaction<'_>, project: ProjectId, last: i64) -> Result<()> {
    tx.prepare_cached(
        "insert into digest_ahead (project_id, position) select id, ?2 from projects where id = ?1
         on conflict (project_id) do update set position = max(position, excluded.position)",
    )?
    .execute(params![project.0, last])?;
    Ok(())
}

/// Lowers positions beyond the end of the journal.
pub(super) fn hold_back(tx: &Transaction<'_>, newest: i64) -> Result<()> {
    tx.execute("update digest_ahead set position = ?1 where position > ?1", [newest])?;
    Ok(())
}
