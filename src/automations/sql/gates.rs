//! What the gates of an automation need to know.

use crate::error::Result;
use crate::ids::{AutomationId, IssueId};
use crate::time::{DAY, HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

/// Sessions that an automation started within the last hour.
pub fn started_lately(c: &Connection, automation: AutomationId, now: Timestamp) -> Result<i64> {
    let mut statement = c.prepare_cached(
        "select count(*) from sessions where automation_id = ?1 and created_at > ?2 and created_at <= ?3",
    )?;
    Ok(statement.query_row(params![automation, now.plus(-HOUR).millis(), now.millis()], |row| row.get(0))?)
}

/// Whether an automation has an unfinished session about the issue. One that no runner has and that waits for a person
/// counts for a day: nobody may ever let it go on.
pub fn is_running(c: &Connection, automation: AutomationId, issue: IssueId, now: Timestamp) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from sessions where issue_id = ?1 and automation_id = ?2 and ended_at is null
             and not (status = 'paused' and lease is null and paused_at <= ?3))",
    )?;
    Ok(statement.query_row(params![issue.0, automation, now.plus(-DAY).millis()], |row| row.get(0))?)
}

/// When an automation last started a session, about the issue or at all.
pub fn last_start(
    c: &Connection,
    automation: AutomationId,
    issue: Option<IssueId>,
) -> Result<Option<Timestamp>> {
    let last: Option<i64> = match issue {
        Some(issue) => c
            .prepare_cached(
                "select max(created_at) from sessions where issue_id = ?1 and automation_id = ?2",
            )?
            .query_row(params![issue.0, automation], |row| row.get(0))?,
        None => c
            .prepare_cached("select max(created_at) from sessions where automation_id = ?1")?
            .query_row([automation], |row| row.get(0))?,
    };
    Ok(last.map(Timestamp::from_millis))
}

/// The number of events of an issue, and when it was last seen; `None` if it was deleted.
pub fn issue(c: &Connection, id: IssueId) -> Result<Option<(i64, Timestamp)>> {
    let mut statement = c.prepare_cached("select event_count, last_seen from issues where id = ?1")?;
    let row = statement.query_row([id.0], |row| Ok((row.get(0)?, Timestamp::from_millis(row.get(1)?))));
    Ok(row.optional()?)
}

/// What an automation's sessions of a month have used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Millionths of a US dollar.
    pub cost: i64,
    /// Milliseconds for which runners had them.
    pub active: i64,
}

/// What an automation used in the month of `now`, including deleted sessions.
pub fn spent(c: &Connection, automation: AutomationId, now: Timestamp) -> Result<Spent> {
    let (month, began) = now.month();
    let read = |row: &rusqlite::Row<'_>| Ok(Spent { cost: row.get(0)?, active: row.get(1)? });
    let stored = c
        .prepare_cached(
            "select coalesce(sum(cost_usd_micros), 0),
                 coalesce(sum(active_ms + coalesce(max(0, ?3 - active_since), 0)), 0)
             from sessions where automation_id = ?1 and created_at >= ?2",
        )?
        .query_row(params![automation, began.millis(), now.millis()], read)?;
    let deleted = c
        .prepare_cached(
            "select cost_usd_micros, active_ms from automation_spent where automation_id = ?1 and month = ?2",
        )?
        .query_row(params![automation, month], read)
        .optional()?
        .unwrap_or_default();
    Ok(Spent { cost: stored.cost + deleted.cost, active: stored.active + deleted.active })
}
