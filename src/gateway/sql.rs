//! All statements on keys of the model gateway.

use super::{MARGIN, Owner, RetiredKey, State};
use crate::error::Result;
use crate::ids::{OrganizationId, SessionId, UserId};
use crate::sessions::caps::Caps;
use crate::sessions::sql::USD;
use crate::time::{MINUTE, SECOND, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// A key whose session has ended, or has another lease.
const OVER: &str = "not exists (select 1 from sessions s
    where s.id = k.session_id and s.lease = k.lease and s.status in ('running', 'paused'))";

/// Who pays for a session; `None` if it was deleted.
pub fn owner(c: &Connection, session: SessionId) -> Result<Option<Owner>> {
    let mut statement = c.prepare_cached(
        "select s.organization_id, o.name, u.id, u.name, s.time_limit_minutes, s.caps, s.cost_usd_micros
         from sessions s
         join organizations o on o.id = s.organization_id
         left join automations a on a.id = s.automation_id
         left join users u on u.id = coalesce(s.created_by, a.created_by)
         where s.id = ?1",
    )?;
    let read = |row: &Row<'_>| {
        let person = row.get::<_, Option<i64>>(2)?.map(UserId);
        let caps: Caps = serde_json::from_str(row.get_ref(5)?.as_str()?).unwrap_or_default();
        let cost = row.get::<_, i64>(6)? as f64 / USD;
        Ok(Owner {
            organization: OrganizationId(row.get(0)?),
            organization_name: row.get(1)?,
            person: person.zip(row.get(3)?),
            lasts: row.get::<_, i64>(4)? * (MINUTE / SECOND) + MARGIN,
            budget: caps.cost_usd.map(|cap| (cap - cost).max(0.0)),
        })
    };
    Ok(statement.query_row([session], read).optional()?)
}

/// Whether a session had keys whose spending is not known yet.
pub fn is_unsettled(c: &Connection, session: SessionId) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from gateway_keys where session_id = ?1 and state <> 'deleted')",
    )?;
    Ok(statement.query_row([session], |row| row.get(0))?)
}

/// Whether a lease has a key.
pub fn has_key(c: &Connection, lease: &str) -> Result<bool> {
    let mut statement = c.prepare_cached("select exists (select 1 from gateway_keys where lease = ?1)")?;
    Ok(statement.query_row([lease], |row| row.get(0))?)
}

/// Stores a key before it is created; later with its hash.
pub fn add(
    tx: &Transaction<'_>,
    (alias, hash): (&str, Option<&str>),
    (session, lease): (SessionId, &str),
    lasts: i64,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into gateway_keys (alias, session_id, lease, automation_id, token_hash, state, next_at, ends_at, created_at)
         values (?1, ?2, ?3, (select automation_id from sessions where id = ?2), ?4, 'minted', ?5, ?6, ?5)
         on conflict (alias) do update set token_hash = excluded.token_hash, state = 'minted', next_at = excluded.next_at",
    )?
    .execute(params![alias, session, lease, hash, now.millis(), now.plus(lasts * SECOND).millis()])?;
    Ok(())
}

/// Some of the keys that are over and due, those that have waited longest first.
pub fn over(c: &Connection, now: Timestamp, most: i64) -> Result<Vec<RetiredKey>> {
    let mut statement = c.prepare_cached(&format!(
        "select alias, session_id, token_hash, state, attempts, ends_at from gateway_keys k
         where next_at <= ?1 and state <> 'deleted' and {OVER} order by next_at limit ?2"
    ))?;
    let read = |row: &Row<'_>| {
        let state = row.get_ref(3)?.as_str()?;
        Ok(RetiredKey {
            alias: row.get(0)?,
            session: row.get(1)?,
            hash: row.get(2)?,
            state: if state == State::Blocked.as_str() { State::Blocked } else { State::Minted },
            attempts: row.get(4)?,
            ends_at: Timestamp::from_millis(row.get(5)?),
        })
    };
    let rows = statement.query_map([now.millis(), most], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores a key's state, and when its next step is due.
pub fn advance(tx: &Transaction<'_>, alias: &str, state: State, next_at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update gateway_keys set state = ?2, next_at = ?3, attempts = 0, reason = null where alias = ?1",
    )?
    .execute(params![alias, state.as_str(), next_at.millis()])?;
    Ok(())
}

/// Stores a failed step, and when to retry it.
pub fn put_off(tx: &Transaction<'_>, alias: &str, reason: &str, next_at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update gateway_keys set attempts = attempts + 1, reason = ?2, next_at = ?3 where alias = ?1",
    )?
    .execute(params![alias, reason, next_at.millis()])?;
    Ok(())
}

/// Deletes a key's row.
pub fn forget(tx: &Transaction<'_>, alias: &str) -> Result<()> {
    tx.prepare_cached("delete from gateway_keys where alias = ?1")?.execute([alias])?;
    Ok(())
}

/// Deletes the rows of deleted keys whose lease has ended: nothing more is reported under it.
pub fn forget_deleted(tx: &Transaction<'_>) -> Result<()> {
    tx.prepare_cached(
        "delete from gateway_keys where state = 'deleted' and not exists (
             select 1 from sessions s where s.id = gateway_keys.session_id and s.lease = gateway_keys.lease)",
    )?
    .execute([])?;
    Ok(())
}

/// Whether [`forget_deleted`] has something to delete.
pub fn has_deleted(c: &Connection) -> Result<bool> {
    let mut statement =
        c.prepare_cached("select exists (select 1 from gateway_keys where state = 'deleted')")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The part of a cost, in millionths of a US dollar, that was not counted before for the time under a lease. The
/// agent and the gateway report the same spending, so the higher figure counts.
pub fn uncounted(tx: &Transaction<'_>, lease: &str, cost: i64) -> Result<i64> {
    let known = tx
        .prepare_cached("select counted_micros from gateway_keys where lease = ?1")?
        .query_row([lease], |row| row.get::<_, i64>(0))
        .optional()?;
    let Some(counted) = known else { return Ok(cost) };
    tx.prepare_cached("update gateway_keys set counted_micros = max(counted_micros, ?2) where lease = ?1")?
        .execute(params![lease, cost])?;
    Ok((cost - counted).max(0))
}

/// Counts a key's spending according to the gateway, in millionths of a US dollar: in its session or, if that was
/// deleted, in the month of its automation.
pub fn count(tx: &Transaction<'_>, alias: &str, cost: i64) -> Result<()> {
    let found = tx
        .prepare_cached(
            "select session_id, automation_id, max(0, ?2 - counted_micros), created_at from gateway_keys where alias = ?1",
        )?
        .query_row(params![alias, cost], |row| {
            Ok((row.get::<_, SessionId>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, i64>(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((session, automation, more, created_at)) = found.filter(|(_, _, more, _)| *more > 0) else {
        return Ok(());
    };
    tx.prepare_cached("update gateway_keys set counted_micros = counted_micros + ?2 where alias = ?1")?
        .execute(params![alias, more])?;
    let is_there = tx
        .prepare_cached("update sessions set cost_usd_micros = cost_usd_micros + ?2 where id = ?1")?
        .execute(params![session, more])?;
    if is_there == 0 {
        let (month, _) = Timestamp::from_millis(created_at).month();
        tx.prepare_cached(
            "insert into automation_spent (automation_id, month, cost_usd_micros, active_ms)
             select id, ?2, ?3, 0 from automations where id = ?1
             on conflict do update set cost_usd_micros = cost_usd_micros + excluded.cost_usd_micros",
        )?
        .execute(params![automation, month, more])?;
    }
    Ok(())
}
