//! Counts what rules ask for, now and in the past.

use super::{events, firings};
use crate::alerts::{Rule, RuleFilters, Threshold};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::signals::Kind;
use crate::time::{HOUR, MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};

/// The most issues, most recently seen first, that are looked at for one rule.
const ISSUES_MAX: i64 = 500;
/// The most signals that a preview reads, and events that are read for one rule.
const SIGNALS_MAX: i64 = 5_000;
const EVENTS_MAX: i64 = 50_000;

/// Unresolved issues that are over a threshold in the last minutes, by events that meet the filters. Each is counted up to
/// that number and one more, and only if its hours together have so many, and the rule is not quiet about it.
pub fn over(c: &Connection, rule: &Rule, over: Threshold, now: Timestamp) -> Result<Vec<IssueId>> {
    let (project, filters) = (rule.project_id, &rule.rule.filters);
    let since = now.plus(-over.minutes * MINUTE).millis();
    let mut statement = c.prepare_cached(
        "select i.id from issues i where i.project_id = ?1 and i.last_seen > ?2 and i.status = 'unresolved'
         order by i.last_seen desc limit ?3",
    )?;
    let rows = statement.query_map(params![project.0, since, ISSUES_MAX], |row| row.get::<_, i64>(0))?;
    let (mut found, mut left) = (Vec::new(), EVENTS_MAX);
    for id in rows {
        let id = id?;
        let of_hours: i64 = c
            .prepare_cached(
                "select coalesce(sum(count), 0) from issue_hours where issue_id = ?1 and hour >= ?2",
            )?
            .query_row([id, since.div_euclid(HOUR)], |row| row.get(0))?;
        if of_hours > over.count
            && !firings::is_quiet(c, rule.id, Some(IssueId(id)), rule.rule.quiet_minutes, now)?
            && events::are_over(c, id, (since, now.millis()), filters, (over, &mut left))?
        {
            found.push(IssueId(id));
        }
    }
    Ok(found)
}

/// When signals of a kind were written in a project since then, about which issues, and which event caused each; in order.
pub fn signals(
    c: &Connection,
    project: ProjectId,
    kind: Kind,
    since: Timestamp,
) -> Result<Vec<(Timestamp, IssueId, Option<String>)>> {
    let mut statement = c.prepare_cached(
        "select at, issue_id, payload ->> 'event_id' from signals
         where project_id = ?1 and kind = ?2 and at >= ?3 and issue_id is not null order by at limit ?4",
    )?;
    let given = params![project.0, kind.as_str(), since.millis(), SIGNALS_MAX];
    let rows = statement.query_map(given, |row| {
        Ok((Timestamp::from_millis(row.get(0)?), IssueId(row.get(1)?), row.get(2)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The events, in order of time, that meet the filters, of each issue that may have been over a threshold.
pub fn candidates(
    c: &Connection,
    project: ProjectId,
    filters: &RuleFilters,
    over: Threshold,
    since: Timestamp,
) -> Result<Vec<(IssueId, Vec<events::Seen>)>> {
    let mut statement = c.prepare_cached(
        "select i.id from issues i where i.project_id = ?1 and i.last_seen > ?2 order by i.last_seen desc limit ?3",
    )?;
    let ids =
        statement.query_map(params![project.0, since.millis(), ISSUES_MAX], |row| row.get::<_, i64>(0))?;
    let (mut found, mut left) = (Vec::new(), EVENTS_MAX);
    for id in ids {
        let id = id?;
        let (seen, read) = events::seen(c, id, since, filters, (over, left))?;
        left -= read;
        if seen.len() as i64 > over.count {
            found.push((IssueId(id), seen));
        }
        if left <= 0 {
            break;
        }
    }
    Ok(found)
}

/// A project's name, unless it is deleted.
pub fn project_name(c: &Connection, project: ProjectId) -> Result<Option<String>> {
    let mut statement = c.prepare_cached("select name from projects where id = ?1 and deleted_at is null")?;
    Ok(statement.query_row([project.0], |row| row.get(0)).optional()?)
}

/// What receivers get to know of an issue, besides its name.
pub fn details(c: &Connection, id: IssueId) -> Result<Option<Value>> {
    let mut statement = c.prepare_cached(
        "select level, status, first_seen, last_seen, last_release, high_value_account from issues where id = ?1",
    )?;
    let found = statement.query_row([id.0], |row| {
        Ok(json!({
            "level": row.get::<_, String>(0)?,
            "status": row.get::<_, String>(1)?,
            "first_seen": Timestamp::from_millis(row.get(2)?),
            "last_seen": Timestamp::from_millis(row.get(3)?),
            "release": row.get::<_, Option<String>>(4)?,
            "high_value_account": row.get::<_, Option<String>>(5)?,
        }))
    });
    found.optional().map_err(Error::from)
}
