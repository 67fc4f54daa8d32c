//! Subscriptions to weekly reports, and their content.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId, UserId};
use crate::projects::issue_prefix;
use crate::time::{DAY, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// The most projects in a report, and the most new issues named for each.
const PROJECTS_MAX: i64 = 20;
const ISSUES_MAX: i64 = 3;
/// The most new issues of a project that are compared by their events.
const LOOKED_MAX: i64 = 1_000;

/// Subscribes a person to reports; a report that is due already stays due.
pub fn want(tx: &Transaction<'_>, user: UserId, next_at: Timestamp) -> Result<()> {
    tx.execute(
        "insert into weekly_reports (user_id, next_at) values (?1, ?2) on conflict do nothing",
        params![user.0, next_at.millis()],
    )?;
    Ok(())
}

pub fn want_no_more(tx: &Transaction<'_>, user: UserId) -> Result<()> {
    tx.execute("delete from weekly_reports where user_id = ?1", [user.0])?;
    tx.execute("delete from notification_mails where user_id = ?1 and category = 'report'", [user.0])?;
    Ok(())
}

/// When a person's next report is due; `None` if they want none.
pub fn next_at(c: &Connection, user: UserId) -> Result<Option<Timestamp>> {
    let mut statement = c.prepare_cached("select next_at from weekly_reports where user_id = ?1")?;
    Ok(statement.query_row([user.0], |row| row.get(0)).optional()?.map(Timestamp::from_millis))
}

/// A person whose report is due.
pub fn due(c: &Connection, now: Timestamp) -> Result<Option<UserId>> {
    let mut statement =
        c.prepare_cached("select user_id from weekly_reports where next_at <= ?1 order by next_at limit 1")?;
    Ok(statement.query_row([now.millis()], |row| row.get(0)).optional()?.map(UserId))
}

/// Sets the date of a person's next report.
pub fn postpone(tx: &Transaction<'_>, user: UserId, next_at: Timestamp) -> Result<()> {
    tx.prepare_cached("update weekly_reports set next_at = ?2 where user_id = ?1")?
        .execute(params![user.0, next_at.millis()])?;
    Ok(())
}

/// A project's week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectWeek {
    pub id: ProjectId,
    pub name: String,
    pub events: i64,
    /// The number in the week before.
    pub events_before: i64,
    pub new_issues: i64,
    pub regressed_issues: i64,
    pub unresolved_issues: i64,
    /// The new issues with most events: short id, title and events.
    pub top: Vec<(IssueId, String, i64)>,
}

/// The weeks of all projects that a person may see, those with most events first.
pub fn weeks(c: &Connection, user: UserId, now: Timestamp) -> Result<Vec<ProjectWeek>> {
    let mut statement = c.prepare_cached(
        "select p.id, p.name, p.slug from memberships m join projects p on p.organization_id = m.organization_id
         where m.user_id = ?1 and m.removed_at is null and p.deleted_at is null",
    )?;
    let rows = statement.query_map([user.0], |row| {
        Ok((ProjectId(row.get(0)?), row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    })?;
    let mut weeks = Vec::new();
    for row in rows {
        let (id, name, slug) = row?;
        weeks.push(week(c, id, name, &issue_prefix(&slug), now)?);
    }
    weeks.sort_by_key(|week| std::cmp::Reverse((week.events, week.id)));
    weeks.truncate(PROJECTS_MAX as usize);
    Ok(weeks)
}

fn week(c: &Connection, id: ProjectId, name: String, prefix: &str, now: Timestamp) -> Result<ProjectWeek> {
    let since = now.plus(-7 * DAY).millis();
    let today = now.millis().div_euclid(DAY);
    let count = |query: &str, from: i64, to: i64| -> Result<i64> {
        Ok(c.prepare_cached(query)?.query_row([id.0, from, to], |row| row.get(0))?)
    };
    let days =
        "select coalesce(sum(count), 0) from event_days where project_id = ?1 and day > ?2 and day <= ?3";
    let found = |column: &str| {
        format!("select count(*) from issues where project_id = ?1 and {column} > ?2 and {column} <= ?3")
    };
    let mut unresolved =
        c.prepare_cached("select count from issue_counts where project_id = ?1 and status = 'unresolved'")?;
    Ok(ProjectWeek {
        id,
        name,
        events: count(days, today - 7, today)?,
        events_before: count(days, today - 14, today - 7)?,
        new_issues: count(&found("first_seen"), since, now.millis())?,
        regressed_issues: count(&found("regressed_at"), since, now.millis())?,
        unresolved_issues: unresolved.query_row([id.0], |row| row.get(0)).optional()?.unwrap_or(0),
        top: top(c, id, prefix, since)?,
    })
}

fn top(c: &Connection, project: ProjectId, prefix: &str, since: i64) -> Result<Vec<(IssueId, String, i64)>> {
    let mut statement = c.prepare_cached(
        "select id, number, title, event_count from issues where id in (
             select id from issues where project_id = ?1 and first_seen > ?2 order by first_seen desc limit ?3)
         order by event_count desc, id limit ?4",
    )?;
    let rows = statement.query_map(params![project.0, since, LOOKED_MAX, ISSUES_MAX], |row| {
        let title = format!("{prefix}-{}: {}", row.get::<_, i64>(1)?, row.get::<_, String>(2)?);
        Ok((IssueId(row.get(0)?), title, row.get(3)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
