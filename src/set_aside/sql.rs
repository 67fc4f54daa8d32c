//! All statements on events that were set aside.

use super::{KEPT, NewSetAside, Outcome, REASON_MAX, RetriedEvent, SetAsideEvent};
use crate::error::{Error, Result};
use crate::event::record::AcceptedRecord;
use crate::events;
use crate::ids::{ProjectId, SetAsideId};
use crate::store::Page;
use crate::store::journal::Form;
use crate::text;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const EVENT: &str = "id, event_id, received_at, reason, length(body)";

/// Stores an event with the reason why it could not be digested, unless its project has been deleted, and
/// drops the oldest ones beyond [`KEPT`]. An earlier row of the same event is replaced by a new one, because
/// its retry will delete that row by id and must not delete this one.
pub fn add(tx: &Transaction<'_>, event: &NewSetAside<'_>) -> Result<()> {
    let reason = text::clip(event.reason.into(), REASON_MAX).0;
    tx.execute(
        "insert or replace into set_aside (project_id, event_id, received_at, reason, kind, version, body)
         select ?1, ?2, ?3, ?4, ?5, ?6, ?7 
         where exists (select 1 from projects where id = ?1 and deleted_at is null)",
        params![
            event.project.0,
            event.event_id,
            event.received_at,
            reason,
            event.record.form.kind,
            event.record.form.version,
            event.record.body
        ],
    )?;
    let dropped = tx.execute(
        "delete from set_aside where project_id = ?1 and id <= (
             select id from set_aside where project_id = ?1 order by id desc limit 1 offset ?2)",
        params![event.project.0, KEPT],
    )?;
    if dropped > 0 {
        tx.execute(
            "update projects set set_aside_dropped = set_aside_dropped + ?2 where id = ?1",
            params![event.project.0, i64::try_from(dropped).map_err(Error::internal)?],
        )?;
    }
    Ok(())
}

/// How many events of a project there are, and how many were dropped to make room for newer ones.
pub fn counts(c: &Connection, project: ProjectId) -> Result<(i64, i64)> {
    Ok(c.prepare_cached(
        "select (select count(*) from set_aside where project_id = ?1), set_aside_dropped
         from projects where id = ?1",
    )?
    .query_row([project.0], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// A page of them, newest first.
pub fn list(c: &Connection, project: ProjectId, page: Page) -> Result<Vec<SetAsideEvent>> {
    let mut statement = c.prepare_cached(&format!(
        "select {EVENT} from set_aside where project_id = ?1 order by id desc limit ?2 offset ?3"
    ))?;
    let rows = statement.query_map(params![project.0, page.limit, page.offset], event)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// One of them with the record that was accepted.
pub fn get(
    c: &Connection,
    project: ProjectId,
    id: SetAsideId,
) -> Result<Option<(SetAsideEvent, AcceptedRecord)>> {
    let query =
        format!("select {EVENT}, kind, version, body from set_aside where project_id = ?1 and id = ?2");
    let mut statement = c.prepare_cached(&query)?;
    let row = |row: &Row<'_>| {
        let form = Form { kind: row.get(5)?, version: row.get(6)? };
        Ok((event(row)?, AcceptedRecord { form, body: row.get(7)? }))
    };
    Ok(statement.query_row(params![project.0, id.0], row).optional()?)
}

/// Deletes one and returns its event id; `None` if the project has none with that id.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, id: SetAsideId) -> Result<Option<String>> {
    let query = "delete from set_aside where project_id = ?1 and id = ?2 returning event_id";
    Ok(tx.query_row(query, params![project.0, id.0], |row| row.get(0)).optional()?)
}

/// Deletes all of them up to an id; returns how many there were.
pub fn delete_through(tx: &Transaction<'_>, project: ProjectId, last: SetAsideId) -> Result<usize> {
    Ok(tx.execute("delete from set_aside where project_id = ?1 and id <= ?2", params![project.0, last.0])?)
}

/// Deletes those that were received before a time; a project has at most [`KEPT`].
pub fn remove_before(tx: &Transaction<'_>, project: ProjectId, time: Timestamp) -> Result<()> {
    tx.prepare_cached("delete from set_aside where project_id = ?1 and received_at < ?2")?
        .execute([project.0, time.millis()])?;
    Ok(())
}

/// The outcome for an event after its row `tried` was put back into the queue.
pub fn outcome(
    c: &Connection,
    project: ProjectId,
    event_id: &str,
    tried: SetAsideId,
) -> Result<RetriedEvent> {
    let mut found = RetriedEvent {
        event_id: event_id.to_owned(),
        outcome: Outcome::Waiting,
        issue_id: events::sql::issue_of(c, project, event_id)?,
        reason: None,
    };
    if found.issue_id.is_some() {
        found.outcome = Outcome::Digested;
        return Ok(found);
    }
    let query = "select reason from set_aside where project_id = ?1 and event_id = ?2 and id > ?3";
    let mut statement = c.prepare_cached(query)?;
    found.reason = statement.query_row(params![project.0, event_id, tried.0], |row| row.get(0)).optional()?;
    if found.reason.is_some() {
        found.outcome = Outcome::SetAside;
    }
    Ok(found)
}

fn event(row: &Row<'_>) -> rusqlite::Result<SetAsideEvent> {
    Ok(SetAsideEvent {
        id: SetAsideId(row.get(0)?),
        event_id: row.get(1)?,
        received_at: Timestamp::from_millis(row.get(2)?),
        reason: row.get(3)?,
        size: row.get(4)?,
    })
}
