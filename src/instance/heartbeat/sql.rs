//! Statements on when heartbeats were sent.

use super::Sendings;
use crate::error::Result;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

pub fn sendings(c: &Connection) -> Result<Sendings> {
    let mut statement = c.prepare_cached("select tried_at, sent_at from anonymous_heartbeat where id = 1")?;
    let row = statement.query_row((), |row| {
        let time = |index| row.get(index).map(|millis: Option<i64>| millis.map(Timestamp::from_millis));
        Ok(Sendings { tried_at: time(0)?, sent_at: time(1)? })
    });
    Ok(row.optional()?.unwrap_or_default())
}

/// Records an attempt.
pub fn try_now(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into anonymous_heartbeat (id, tried_at) values (1, ?1)
         on conflict (id) do update set tried_at = excluded.tried_at",
        [now.millis()],
    )?;
    Ok(())
}

/// Records that it was received.
pub fn sent(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("update anonymous_heartbeat set sent_at = ?1 where id = 1", [now.millis()])?;
    Ok(())
}
