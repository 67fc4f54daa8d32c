//! What the parts of a replay tell of its browser's clock.

use crate::error::Result;
use crate::replays::clock::{self, Receipt};
use rusqlite::Connection;

/// How far the clock of the replay in a row was behind the server's, in milliseconds; below zero, ahead. `None` if no
/// difference is known.
pub(super) fn of(c: &Connection, row: i64) -> Result<Option<i64>> {
    let told = told(c, row)?;
    if told.is_empty() { Ok(clock::estimated(&receipts(c, row)?)) } else { Ok(clock::told(&told)) }
}

/// The least differences that its client told, in order: as many as count.
fn told(c: &Connection, row: i64) -> Result<Vec<i64>> {
    let mut statement = c.prepare_cached(
        "select lag from replay_segments where replay = ?1 and lag is not null order by lag limit 2",
    )?;
    let rows = statement.query_map([row], |row| row.get::<_, i64>(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn receipts(c: &Connection, row: i64) -> Result<Vec<Receipt>> {
    let mut statement = c.prepare_cached(
        "select last_at, received_at from replay_segments where replay = ?1 and last_at is not null",
    )?;
    let rows =
        statement.query_map([row], |row| Ok(Receipt { last_at: row.get(0)?, received_at: row.get(1)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
