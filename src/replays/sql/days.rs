//! What a project's session replays hold, by the day on which their first part was received. Triggers count them.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::usage::{DayHeld, Held};
use rusqlite::{Connection, Transaction};

/// The days with replays, the oldest first.
pub fn list(c: &Connection, project: ProjectId) -> Result<Vec<DayHeld>> {
    let mut statement = c.prepare_cached(
        "select day, count, bytes from replay_days where project_id = ?1 and count > 0 order by day",
    )?;
    let rows = statement.query_map([project.0], |row| {
        Ok(DayHeld { day: row.get(0)?, held: Held { count: row.get(1)?, bytes: row.get(2)? } })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// All days together.
pub fn total(c: &Connection, project: ProjectId) -> Result<Held> {
    let mut statement = c.prepare_cached(
        "select coalesce(sum(count), 0), coalesce(sum(bytes), 0) from replay_days where project_id = ?1",
    )?;
    Ok(statement.query_row([project.0], |row| Ok(Held { count: row.get(0)?, bytes: row.get(1)? }))?)
}

/// Deletes days that have no more replays.
pub fn forget_empty(tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
    tx.execute("delete from replay_days where project_id = ?1 and count <= 0", [project.0])?;
    Ok(())
}
