//! Counts events for the conditions of rules.

use super::events::{self, Judged};
use super::firings;
use crate::alerts::{Rule, Threshold};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::time::{HOUR, MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};

/// The most issues that are checked for one rule, most recently seen first,
pub const ISSUES_MAX: i64 = 500;
/// and the most events that are read for it.
pub const EVENTS_MAX: i64 = 50_000;

/// What counting found.
#[derive(Debug, Default)]
pub struct OverThreshold {
    /// The issues that are over the threshold.
    pub over: Vec<IssueId>,
    /// Whether a limit was reached, so that further issues may be over the threshold.
    pub is_partial: bool,
}

/// Unresolved issues whose matching events of the last minutes exceed a threshold. Checks only issues whose hourly
/// counts make that possible, about which the rule is not quiet, and which `wants` accepts.
pub fn over(
    c: &Connection,
    rule: &Rule,
    over: Threshold,
    now: Timestamp,
    mut wants: impl FnMut(IssueId) -> Result<bool>,
) -> Result<OverThreshold> {
    let since = now.plus(-over.minutes * MINUTE).millis();
    let mut statement = c.prepare_cached(
        "select i.id from issues i where i.project_id = ?1 and i.last_seen > ?2 and i.status = 'unresolved'
             and (select coalesce(sum(h.count), 0) from issue_hours h where h.issue_id = i.id and h.hour >= ?3) > ?4
         order by i.last_seen desc limit ?5",
    )?;
    let given = params![rule.project_id.0, since, since.div_euclid(HOUR), over.count, ISSUES_MAX + 1];
    let rows = statement.query_map(given, |row| row.get(0).map(IssueId))?;
    let (mut counted, mut left) = (OverThreshold::default(), EVENTS_MAX);
    for (place, id) in rows.enumerate() {
        let id = id?;
        if place as i64 == ISSUES_MAX {
            counted.is_partial = true;
            break;
        }
        if firings::is_quiet(c, rule.id, Some(id), rule.rule.quiet_minutes, now)? || !wants(id)? {
            continue;
        }
        match events::judge(c, id.0, (since, now.millis()), &rule.rule.filters, (over, &mut left))? {
            Judged::Over => counted.over.push(id),
            Judged::Unknown => counted.is_partial = true,
            Judged::Under => {}
        }
    }
    Ok(counted)
}

/// A project's name, unless it is deleted.
pub fn project_name(c: &Connection, project: ProjectId) -> Result<Option<String>> {
    let mut statement = c.prepare_cached("select name from projects where id = ?1 and deleted_at is null")?;
    Ok(statement.query_row([project.0], |row| row.get(0)).optional()?)
}

/// What receivers are told about an issue, besides its name.
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
