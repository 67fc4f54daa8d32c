//! Sent messages and their outcome.

use crate::alerts::{AlertDelivery, Channel, KEPT, KEPT_MAX};
use crate::error::Result;
use crate::ids::{AlertChannelId, AlertDeliveryId, AlertRuleId, DeliveryId, IssueId, ProjectId};
use crate::store::Page;
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, Row, Transaction, params};

/// A message to record.
pub struct New<'a> {
    pub project: ProjectId,
    pub rule: Option<AlertRuleId>,
    pub rule_name: &'a str,
    pub channel: AlertChannelId,
    pub channel_name: &'a str,
    pub issue: Option<IssueId>,
    pub title: &'a str,
    pub delivery: DeliveryId,
}

/// Records a message, and deletes the project's oldest if there are too many.
pub fn add(tx: &Transaction<'_>, new: &New<'_>, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "insert into alert_deliveries (project_id, rule_id, rule_name, channel_id, channel_name, issue_id, title,
             delivery_id, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        new.project.0,
        new.rule.map(|id| id.0),
        new.rule_name,
        new.channel.0,
        new.channel_name,
        new.issue.map(|id| id.0),
        new.title,
        new.delivery.0,
        now.millis()
    ])?;
    tx.prepare_cached(
        "delete from alert_deliveries where project_id = ?1 and id <= (
             select id from alert_deliveries where project_id = ?1 order by id desc limit 1 offset ?2)",
    )?
    .execute([new.project.0, KEPT_MAX])?;
    Ok(())
}

/// Whether a channel got a message about an issue from another rule so recently that it wants no other.
pub fn spoke_for_others(
    c: &Connection,
    (channel, rule): (&Channel, AlertRuleId),
    issue: IssueId,
    now: Timestamp,
) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from alert_deliveries a join deliveries d on d.id = a.delivery_id
             where a.channel_id = ?1 and a.issue_id = ?2 and a.rule_id is not ?3 and a.created_at > ?4
                 and a.created_at <= ?5 and d.status in ('pending', 'sent'))",
    )?;
    let since = now.plus(-channel.issue_quiet_minutes * MINUTE).millis();
    let given = params![channel.id.0, issue.0, rule.0, since, now.millis()];
    Ok(statement.query_row(given, |row| row.get(0))?)
}

/// A page of a project's messages, newest first, and how many there are.
pub fn list(c: &Connection, project: ProjectId, page: Page) -> Result<(Vec<AlertDelivery>, i64)> {
    let total = c
        .prepare_cached("select count(*) from alert_deliveries where project_id = ?1")?
        .query_row([project.0], |row| row.get(0))?;
    let mut statement = c.prepare_cached(
        "select a.id, a.rule_id, a.rule_name, a.channel_id, a.channel_name, a.issue_id, a.title, d.status, d.attempts,
             d.last_answer, d.next_attempt_at, a.created_at
         from alert_deliveries a join deliveries d on d.id = a.delivery_id
         where a.project_id = ?1 order by a.id desc limit ?2 offset ?3",
    )?;
    let rows = statement.query_map(params![project.0, page.limit, page.offset], line)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

fn line(row: &Row<'_>) -> rusqlite::Result<AlertDelivery> {
    let id = |index| row.get::<_, Option<i64>>(index);
    Ok(AlertDelivery {
        id: AlertDeliveryId(row.get(0)?),
        rule_id: id(1)?.map(AlertRuleId),
        rule_name: row.get(2)?,
        channel_id: id(3)?.map(AlertChannelId),
        channel_name: row.get(4)?,
        issue_id: id(5)?.map(IssueId),
        title: row.get(6)?,
        status: row.get(7)?,
        attempts: row.get(8)?,
        reason: row.get(9)?,
        next_attempt_at: id(10)?.map(Timestamp::from_millis),
        created_at: Timestamp::from_millis(row.get(11)?),
    })
}

/// Deletes old messages.
pub fn forget(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from alert_deliveries where created_at < ?1", [now.plus(-KEPT).millis()])?;
    Ok(())
}
