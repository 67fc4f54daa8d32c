//! Sessions that pause, by a person or at a cap or a time limit.

use crate::error::Result;
use crate::ids::SessionId;
use crate::sessions::Wanted;
use crate::sessions::caps::Caps;
use crate::time::{DAY, Timestamp};
use rusqlite::{Connection, Transaction, params};
use serde_json::json;

/// How long a session that no runner has waits for a person, in milliseconds: as long as runners keep work.
pub const PARKED: i64 = 30 * DAY;
/// Sessions looked at in one transaction, so that others can write in between.
const AT_ONCE: i64 = 500;

/// Pauses a running session. A pause does not count as active time.
pub fn pause(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'paused', wanted = 'pause', paused_at = ?2, last_activity_at = ?2,
             active_ms = active_ms + coalesce(max(0, ?2 - active_since), 0), active_since = null
         where id = ?1",
    )?
    .execute(params![id, now.millis()])?;
    Ok(())
}

/// Resumes it.
pub fn resume(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'running', wanted = 'resume', paused_at = null, last_activity_at = ?2,
             active_since = ?2
         where id = ?1",
    )?
    .execute(params![id, now.millis()])?;
    Ok(())
}

/// Stores what people want of a session's runner, if it has one.
pub fn want(tx: &Transaction<'_>, id: SessionId, wanted: Wanted) -> Result<()> {
    tx.prepare_cached(
        "update sessions set wanted = case when lease is null then null else ?2 end where id = ?1",
    )?
    .execute(params![id, wanted.as_str()])?;
    Ok(())
}

/// Pauses a session that no runner has any more: it reached a cap or its time limit, or its runner was stopped during a
/// pause. It waits for a person.
pub fn park(tx: &Transaction<'_>, id: SessionId, reason: &str, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'paused', reason = ?3, paused_at = ?2, last_activity_at = ?2, is_releasing = 0,
             is_resuming = 0, wanted = null,
             active_ms = active_ms + coalesce(max(0, ?2 - active_since), 0), active_since = null
         where id = ?1",
    )?
    .execute(params![id, now.millis(), reason])?;
    Ok(())
}

/// Some of the sessions that no runner has and that no person has continued for too long.
pub fn forgotten(c: &Connection, now: Timestamp) -> Result<Vec<SessionId>> {
    let mut statement = c.prepare_cached(
        "select id from sessions where status = 'paused' and lease is null and paused_at <= ?1 limit ?2",
    )?;
    let rows = statement.query_map([now.plus(-PARKED).millis(), AT_ONCE], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Lets a session that reached a cap or its time limit wait for its runner again.
pub fn go_on(
    tx: &Transaction<'_>,
    id: SessionId,
    (caps, time_limit_minutes): (Caps, i64),
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'starting', is_resuming = 1, caps = ?3, time_limit_minutes = ?4, outcome = null,
             reason = null, ended_at = null, paused_at = null, wanted = null, last_activity_at = ?2
         where id = ?1",
    )?
    .execute(params![id, now.millis(), json!(caps).to_string(), time_limit_minutes])?;
    Ok(())
}
