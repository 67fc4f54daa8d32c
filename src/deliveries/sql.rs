//! All statements on deliveries.

use super::{Channel, NewDelivery, StalledDeliveries, Status};
use crate::error::{Error, Result};
use crate::ids::DeliveryId;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

/// A delivery that is due, with its payload still sealed.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub id: DeliveryId,
    pub channel: Channel,
    pub target: String,
    pub kind: String,
    pub sealed: Vec<u8>,
    pub idempotency_key: String,
    pub attempts: u32,
    pub created_at: Timestamp,
}

/// The deliveries and targets that must not be started now.
#[derive(Debug, Clone, Default)]
pub struct Busy {
    /// Deliveries in flight.
    pub ids: Vec<DeliveryId>,
    /// Targets that have as many in flight as they may.
    pub targets: Vec<(Channel, String)>,
    /// The channels with a free slot. The others are full or not configured.
    pub open: Vec<Channel>,
}

pub fn add(
    tx: &Transaction<'_>,
    new: &NewDelivery,
    sealed: &[u8],
    idempotency_key: &str,
    now: Timestamp,
) -> Result<DeliveryId> {
    tx.prepare_cached(
        "insert into deliveries (channel, target, kind, payload, idempotency_key, is_followed, next_attempt_at,
             created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
    )?
    .execute(params![
        new.channel.as_str(),
        new.target,
        new.kind,
        sealed,
        idempotency_key,
        new.is_followed,
        now.millis()
    ])?;
    Ok(DeliveryId(tx.last_insert_rowid()))
}

/// The due delivery that has waited longest, apart from busy ones.
pub fn next(c: &Connection, now: Timestamp, busy: &Busy) -> Result<Option<Waiting>> {
    let ids = json!(busy.ids).to_string();
    let targets: Vec<String> =
        busy.targets.iter().map(|(channel, target)| format!("{} {target}", channel.as_str())).collect();
    let open: Vec<&str> = busy.open.iter().map(|channel| channel.as_str()).collect();
    let mut statement = c.prepare_cached(
        "select id, channel, target, kind, payload, idempotency_key, attempts, created_at from deliveries
         where status = 'pending' and next_attempt_at <= ?1
             and id not in (select value from json_each(?2))
             and channel || ' ' || target not in (select value from json_each(?3))
             and channel in (select value from json_each(?4))
         order by next_attempt_at, id limit 1",
    )?;
    let given = params![now.millis(), ids, json!(targets).to_string(), json!(open).to_string()];
    statement.query_row(given, waiting).optional()?.transpose()
}

fn waiting(row: &Row<'_>) -> rusqlite::Result<Result<Waiting>> {
    let channel: String = row.get(1)?;
    let Some(channel) = Channel::parse(&channel) else {
        return Ok(Err(Error::internal(format!("a delivery of the unknown channel {channel}"))));
    };
    Ok(Ok(Waiting {
        id: DeliveryId(row.get(0)?),
        channel,
        target: row.get(2)?,
        kind: row.get(3)?,
        sealed: row.get(4)?,
        idempotency_key: row.get(5)?,
        attempts: row.get(6)?,
        created_at: Timestamp::from_millis(row.get(7)?),
    }))
}

pub fn stuck(c: &Connection, channel: Channel) -> Result<StalledDeliveries> {
    // With `min`, SQLite takes the other columns from the same row.
    let mut statement = c.prepare_cached(
        "select count(*), min(created_at), last_answer from deliveries
         where status = 'pending' and next_attempt_at > 0 and channel = ?1 and attempts > 0",
    )?;
    Ok(statement.query_row([channel.as_str()], |row| {
        let since: Option<i64> = row.get(1)?;
        Ok(StalledDeliveries {
            count: row.get(0)?,
            since: since.map(Timestamp::from_millis),
            answer: row.get(2)?,
        })
    })?)
}

/// When the first delivery after `now` is due.
pub fn next_due(c: &Connection, now: Timestamp) -> Result<Option<Timestamp>> {
    let mut statement = c.prepare_cached(
        "select min(next_attempt_at) from deliveries where status = 'pending' and next_attempt_at > ?1",
    )?;
    let next: Option<i64> = statement.query_row([now.millis()], |row| row.get(0))?;
    Ok(next.map(Timestamp::from_millis))
}

/// A delivery's channel, and how often it was attempted; `None` if it is no longer pending.
pub fn attempts(c: &Connection, id: DeliveryId) -> Result<Option<(Channel, u32)>> {
    let mut statement =
        c.prepare_cached("select channel, attempts from deliveries where id = ?1 and status = 'pending'")?;
    let found: Option<(String, u32)> =
        statement.query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.and_then(|(channel, attempts)| Some((Channel::parse(&channel)?, attempts))))
}

/// Records how a waiting delivery ended and removes its content: the complete row, unless it is followed. `answer` is
/// the error of the last attempt.
pub fn end(tx: &Transaction<'_>, id: DeliveryId, status: Status, answer: Option<&str>) -> Result<()> {
    let gone = tx
        .prepare_cached("delete from deliveries where id = ?1 and status = 'pending' and not is_followed")?
        .execute([id.0])?;
    if gone == 0 {
        tx.prepare_cached(
            "update deliveries set status = ?2, last_answer = coalesce(?3, last_answer), payload = null,
                 next_attempt_at = null
             where id = ?1 and status = 'pending'",
        )?
        .execute(params![id.0, status.as_str(), answer])?;
    }
    Ok(())
}

/// Records a failed attempt of a delivery, and when the next one is due.
pub fn retry(
    tx: &Transaction<'_>,
    id: DeliveryId,
    attempts: u32,
    answer: &str,
    next: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "update deliveries set attempts = ?2, last_answer = ?3, next_attempt_at = ?4
         where id = ?1 and status = 'pending'",
    )?
    .execute(params![id.0, attempts, answer, next.millis()])?;
    Ok(())
}

/// Postpones a delivery for reasons of our own; does not count as an attempt.
pub fn put_off(tx: &Transaction<'_>, id: DeliveryId, until: Timestamp) -> Result<()> {
    tx.prepare_cached("update deliveries set next_attempt_at = ?2 where id = ?1 and status = 'pending'")?
        .execute([id.0, until.millis()])?;
    Ok(())
}

/// Removes a delivery in any state. One in flight may still be sent.
pub fn remove(tx: &Transaction<'_>, id: DeliveryId) -> Result<()> {
    tx.prepare_cached("delete from deliveries where id = ?1")?.execute([id.0])?;
    Ok(())
}
