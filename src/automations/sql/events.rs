//! Events of automations.

use crate::automations::{AutomationEvent, EVENTS_KEPT, EVENTS_MAX, EventStatus};
use crate::error::Result;
use crate::ids::{AutomationEventId, AutomationId, IssueId, ProjectId, SessionId, TriggerId};
use crate::projects::issue_short_id;
use crate::store::Page;
use crate::time::{DAY, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// How long the ids of calls are remembered, in milliseconds.
const IDS_KEPT: i64 = DAY;
/// Rows deleted in one transaction, so that others can write in between.
const SWEPT_AT_ONCE: i64 = 1_000;

const EVENT: &str =
    "id, trigger_id, kind, status, reason, session_id, issue_id, project_id, created_at, ended_at,
    (select slug from projects where projects.id = automation_events.project_id),
    (select issues.number from issues where issues.id = automation_events.issue_id)";

/// A page of an automation's events, newest first, and how many there are.
pub fn list(c: &Connection, automation: AutomationId, page: Page) -> Result<(Vec<AutomationEvent>, i64)> {
    let mut statement = c.prepare_cached(&format!(
        "select {EVENT} from automation_events where automation_id = ?1 order by number desc limit ?2 offset ?3"
    ))?;
    let rows = statement.query_map(params![automation, page.limit, page.offset], event)?;
    let found = rows.collect::<rusqlite::Result<_>>()?;
    let total = c
        .prepare_cached("select count(*) from automation_events where automation_id = ?1")?
        .query_row([automation], |row| row.get(0))?;
    Ok((found, total))
}

/// An event to write.
#[derive(Debug, Clone)]
pub struct NewEvent<'a> {
    pub automation: AutomationId,
    pub trigger: Option<TriggerId>,
    pub kind: &'a str,
    pub status: EventStatus,
    pub reason: Option<&'a str>,
    pub session: Option<SessionId>,
    pub issue: Option<IssueId>,
    pub project: Option<ProjectId>,
    /// JSON.
    pub payload: &'a str,
    pub body_hash: Option<[u8; 32]>,
}

pub fn add(tx: &Transaction<'_>, new: &NewEvent<'_>, now: Timestamp) -> Result<AutomationEventId> {
    let id = AutomationEventId::new();
    let ended_at = (new.status != EventStatus::Queued).then_some(now.millis());
    tx.prepare_cached(
        "insert into automation_events (id, automation_id, trigger_id, kind, status, reason, session_id, issue_id,
             project_id, payload, body_hash, created_at, ended_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        id,
        new.automation,
        new.trigger,
        new.kind,
        new.status.as_str(),
        new.reason,
        new.session,
        new.issue.map(|id| id.0),
        new.project.map(|id| id.0),
        new.payload,
        new.body_hash,
        now.millis(),
        ended_at
    ])?;
    Ok(id)
}

/// The kind and payload of the call that started a session.
pub fn of_session(c: &Connection, session: SessionId) -> Result<Option<(String, String)>> {
    let mut statement =
        c.prepare_cached("select kind, payload from automation_events where session_id = ?1 limit 1")?;
    Ok(statement.query_row([session], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// The latest event of a call with the same body since a time.
pub fn with_body(
    c: &Connection,
    trigger: TriggerId,
    body_hash: &[u8; 32],
    since: Timestamp,
) -> Result<Option<AutomationEventId>> {
    let mut statement = c.prepare_cached(
        "select id from automation_events where trigger_id = ?1 and body_hash = ?2 and created_at > ?3
         order by created_at desc limit 1",
    )?;
    Ok(statement.query_row(params![trigger, body_hash, since.millis()], |row| row.get(0)).optional()?)
}

/// The event of a call with this id; ids are remembered for a day.
pub fn with_id(c: &Connection, trigger: TriggerId, id: &str) -> Result<Option<AutomationEventId>> {
    let mut statement =
        c.prepare_cached("select event_id from webhook_ids where trigger_id = ?1 and webhook_id = ?2")?;
    Ok(statement.query_row(params![trigger, id], |row| row.get(0)).optional()?)
}

/// Remembers the id of a call.
pub fn remember(
    tx: &Transaction<'_>,
    (trigger, id): (TriggerId, &str),
    event: AutomationEventId,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into webhook_ids (trigger_id, webhook_id, event_id, seen_at) values (?1, ?2, ?3, ?4)
         on conflict do nothing",
    )?
    .execute(params![trigger, id, event, now.millis()])?;
    Ok(())
}

/// Deletes some events that are too old or too many; `false` if none are left to delete. Events of unfinished
/// sessions stay.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<bool> {
    let ids = tx
        .prepare_cached(
            "delete from webhook_ids where (trigger_id, webhook_id) in (
                 select trigger_id, webhook_id from webhook_ids where seen_at <= ?1 limit ?2)",
        )?
        .execute([now.plus(-IDS_KEPT).millis(), SWEPT_AT_ONCE])?;
    let old = tx
        .prepare_cached(
            "delete from automation_events where number in (
                 select number from automation_events where created_at <= ?1 and status not in ('queued', 'processing')
                 limit ?2)",
        )?
        .execute([now.plus(-EVENTS_KEPT).millis(), SWEPT_AT_ONCE])?;
    Ok(ids > 0 || old > 0)
}

/// Deletes the oldest events of an automation that has too many.
pub fn trim(tx: &Transaction<'_>, automation: AutomationId) -> Result<()> {
    tx.prepare_cached(
        "delete from automation_events where status not in ('queued', 'processing') and number in (
             select number from automation_events where automation_id = ?1 order by number desc limit 100 offset ?2)",
    )?
    .execute(params![automation, EVENTS_MAX])?;
    Ok(())
}

pub fn get(c: &Connection, id: AutomationEventId) -> Result<Option<AutomationEvent>> {
    let mut statement = c.prepare_cached(&format!("select {EVENT} from automation_events where id = ?1"))?;
    Ok(statement.query_row([id], event).optional()?)
}

/// Sets the final status of an event without a session.
pub fn set_status(
    tx: &Transaction<'_>,
    id: AutomationEventId,
    status: EventStatus,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "update automation_events set status = ?2, reason = null, ended_at = ?3 where id = ?1",
    )?
    .execute(params![id, status.as_str(), now.millis()])?;
    Ok(())
}

/// Copies a session's outcome to the event that started it, if any.
pub fn follow(
    tx: &Transaction<'_>,
    session: SessionId,
    status: EventStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let ended_at = (!matches!(status, EventStatus::Queued | EventStatus::Processing)).then_some(now.millis());
    tx.prepare_cached(
        "update automation_events set status = ?2, reason = ?3, ended_at = ?4 where session_id = ?1",
    )?
    .execute(params![session, status.as_str(), reason, ended_at])?;
    Ok(())
}

fn event(row: &Row<'_>) -> rusqlite::Result<AutomationEvent> {
    let (slug, number) = (row.get::<_, Option<String>>(10)?, row.get::<_, Option<i64>>(11)?);
    Ok(AutomationEvent {
        id: row.get(0)?,
        trigger_id: row.get(1)?,
        kind: row.get(2)?,
        // The schema allows no other value.
        status: EventStatus::parse(row.get_ref(3)?.as_str()?).unwrap_or(EventStatus::Failed),
        reason: row.get(4)?,
        session_id: row.get(5)?,
        issue_id: row.get::<_, Option<i64>>(6)?.map(IssueId),
        issue_short_id: slug.zip(number).map(|(slug, number)| issue_short_id(&slug, number)),
        project_id: row.get::<_, Option<i64>>(7)?.map(ProjectId),
        created_at: Timestamp::from_millis(row.get(8)?),
        ended_at: row.get::<_, Option<i64>>(9)?.map(Timestamp::from_millis),
    })
}
