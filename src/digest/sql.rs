//! The position that the digest has reached.

use crate::error::Result;
use rusqlite::Connection;

/// The position reached.
pub fn position(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select position from digest where id = 1", (), |row| row.get(0))?)
}
