//! All statements on signals and the positions of their consumers.

use super::{KEPT, Kind, NewSignal, Signal};
use crate::error::{Error, Result};
use crate::ids::{IssueId, OrganizationId, ProjectId, SignalId, UserId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::{Value, json};

/// Signals deleted in one transaction, so that others can write in between.
const SWEPT_AT_ONCE: i64 = 5_000;

/// Writes a signal, in the transaction of its cause.
pub fn add(tx: &Transaction<'_>, new: &NewSignal, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "insert into signals (kind, organization_id, project_id, issue_id, user_id, actor_id, payload, at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.kind.as_str(),
        new.organization.map(|id| id.0),
        new.project.map(|id| id.0),
        new.issue.map(|id| id.0),
        new.user.map(|id| id.0),
        new.actor.map(|id| id.0),
        new.payload.to_string(),
        now.millis()
    ])?;
    Ok(())
}

/// Writes a signal about an issue; looks up its project and organization.
pub fn add_of_issue(
    tx: &Transaction<'_>,
    kind: Kind,
    issue: IssueId,
    actor: Option<UserId>,
    payload: &Value,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into signals (kind, organization_id, project_id, issue_id, actor_id, payload, at)
         select ?1, p.organization_id, p.id, i.id, ?3, ?4, ?5
         from issues i join projects p on p.id = i.project_id where i.id = ?2",
    )?
    .execute(params![
        kind.as_str(),
        issue.0,
        actor.map(|id| id.0),
        payload.to_string(),
        now.millis()
    ])?;
    Ok(())
}

/// The id of the newest signal ever written.
pub fn newest(c: &Connection) -> Result<SignalId> {
    let mut statement = c.prepare_cached("select seq from sqlite_sequence where name = 'signals'")?;
    Ok(SignalId(statement.query_row((), |row| row.get(0)).optional()?.unwrap_or(0)))
}

/// The signals of some kinds after one position and up to another, in order.
pub fn between(
    c: &Connection,
    kinds: &[Kind],
    (after, until): (SignalId, SignalId),
    limit: usize,
) -> Result<Vec<Signal>> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let mut statement = c.prepare_cached(
        "select id, kind, organization_id, project_id, issue_id, user_id, actor_id, payload, at from signals
         where id > ?1 and id <= ?2 and kind in (select value from json_each(?3)) order by id limit ?4",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut rows = statement.query(params![after.0, until.0, json!(kinds).to_string(), limit])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(signal(row)?);
    }
    Ok(found)
}

fn signal(row: &Row<'_>) -> Result<Signal> {
    let (kind, payload): (String, String) = (row.get(1)?, row.get(7)?);
    let id = |index| row.get::<_, Option<i64>>(index);
    Ok(Signal {
        id: SignalId(row.get(0)?),
        kind: Kind::parse(&kind).ok_or_else(|| Error::internal(format!("the unknown signal {kind}")))?,
        organization: id(2)?.map(OrganizationId),
        project: id(3)?.map(ProjectId),
        issue: id(4)?.map(IssueId),
        user: id(5)?.map(UserId),
        actor: id(6)?.map(UserId),
        payload: serde_json::from_str(&payload).map_err(Error::internal)?,
        at: Timestamp::from_millis(row.get(8)?),
    })
}

/// The position that a consumer has reached; `None` if it is not registered.
pub fn position(c: &Connection, consumer: &str) -> Result<Option<SignalId>> {
    let mut statement = c.prepare_cached("select position from signal_consumers where name = ?1")?;
    Ok(statement.query_row([consumer], |row| row.get(0)).optional()?.map(SignalId))
}

/// Moves the position of a consumer forward, in the transaction of its effects; never back.
pub fn reach(tx: &Transaction<'_>, consumer: &str, position: SignalId) -> Result<()> {
    tx.prepare_cached("update signal_consumers set position = max(position, ?2) where name = ?1")?
        .execute(params![consumer, position.0])?;
    Ok(())
}

/// Registers new consumers, which start after everything that has happened so far, and removes those that no longer
/// exist, so that no signal waits for them.
pub fn enter(tx: &Transaction<'_>, consumers: &[&str]) -> Result<()> {
    let newest = newest(tx)?;
    tx.execute(
        "delete from signal_consumers where name not in (select value from json_each(?1))",
        [json!(consumers).to_string()],
    )?;
    for name in consumers {
        tx.execute(
            "insert into signal_consumers (name, position) values (?1, ?2) on conflict do nothing",
            params![name, newest.0],
        )?;
    }
    Ok(())
}

/// Deletes some of the signals that are old enough and that every consumer has passed; `false` if none are left.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<bool> {
    // From the oldest up to the first that is kept; those after it are younger. One with a time in the future was
    // written before the clock was set back.
    let stays = tx
        .prepare_cached("select id from signals where id > 0 and at between ?1 and ?2 order by id limit 1")?
        .query_row([now.plus(-KEPT).millis(), now.millis()], |row| row.get::<_, i64>(0))
        .optional()?;
    let passed: Option<i64> =
        tx.query_row("select min(position) from signal_consumers", (), |row| row.get(0))?;
    let last = passed.unwrap_or(i64::MAX).min(stays.map_or(i64::MAX, |id| id - 1));
    let swept = tx
        .prepare_cached(
            "delete from signals where id in (select id from signals where id <= ?1 order by id limit ?2)",
        )?
        .execute([last, SWEPT_AT_ONCE])?;
    Ok(swept > 0)
}
