//! What a project's stored events hold, by the day of their receipt.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::usage::{DayHeld, Held};
use rusqlite::{Connection, Transaction};

/// Adds to a day. What is deleted is taken away by a trigger.
pub fn add(tx: &Transaction<'_>, project: ProjectId, day: i64, held: Held) -> Result<()> {
    tx.prepare_cached(
        "insert into event_days (project_id, day, count, bytes) values (?1, ?2, ?3, ?4)
         on conflict do update set count = count + ?3, bytes = bytes + ?4",
    )?
    .execute((project.0, day, held.count, held.bytes))?;
    Ok(())
}

/// The days with events, the oldest first.
pub fn list(c: &Connection, project: ProjectId) -> Result<Vec<DayHeld>> {
    let mut statement = c.prepare_cached(
        "select day, count, bytes from event_days where project_id = ?1 and count > 0 order by day",
    )?;
    let rows = statement.query_map([project.0], |row| {
        Ok(DayHeld { day: row.get(0)?, held: Held { count: row.get(1)?, bytes: row.get(2)? } })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// All days together.
pub fn total(c: &Connection, project: ProjectId) -> Result<Held> {
    let mut statement = c.prepare_cached(
        "select coalesce(sum(count), 0), coalesce(sum(bytes), 0) from event_days where project_id = ?1",
    )?;
    Ok(statement.query_row([project.0], |row| Ok(Held { count: row.get(0)?, bytes: row.get(1)? }))?)
}

/// Deletes days that have no more events.
pub fn forget_empty(tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
    tx.execute("delete from event_days where project_id = ?1 and count <= 0", [project.0])?;
    Ok(())
}
