//! What single events say that the filters of rules ask for.

use crate::alerts::{RuleFilters, RuleTag};
use crate::error::{Error, Result};
use crate::event::accepted::Level;
use crate::event::key;
use crate::ids::{IssueId, ProjectId};
use crate::signals::Kind;
use crate::store::unpack;
use crate::time::{HOUR, MINUTE, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes of an event.
const EVENT_MAX: usize = 16 << 20;
/// Events of an issue that are read beyond the number that is wanted, because the filters may not hold of them.
const LOOKED_MAX: i64 = 5_000;
/// Events by which it is judged what made an issue escalate.
const SAMPLE_MAX: i64 = 200;

/// The part of an event that filters ask for.
#[derive(Deserialize)]
struct Facts<'a> {
    level: Level,
    #[serde(borrow)]
    environment: Cow<'a, str>,
    #[serde(borrow, default)]
    release: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tags: HashMap<Cow<'a, str>, Value>,
}

impl Facts<'_> {
    fn meet(&self, filters: &RuleFilters) -> bool {
        let has_one = |values: &[String], value: Option<&str>| {
            values.is_empty() || value.is_some_and(|value| values.iter().any(|one| one == value))
        };
        let has_tag = |tag: &RuleTag| match self.tags.get(tag.key.as_str()) {
            Some(Value::String(value)) => *value == tag.value,
            Some(other) => serde_json::to_string(other).is_ok_and(|text| text == tag.value),
            None => false,
        };
        (filters.levels.is_empty() || filters.levels.contains(&self.level))
            && has_one(&filters.environments, Some(&self.environment))
            && has_one(&filters.releases, self.release.as_deref())
            && filters.tags.iter().all(has_tag)
    }
}

/// Whether the filters hold of the event whose payload is in a column.
fn meets(row: &Row<'_>, column: usize, filters: &RuleFilters) -> Result<bool> {
    let packed = row.get_ref(column)?.as_blob().map_err(Error::internal)?;
    let payload = unpack(packed, EVENT_MAX)?;
    let facts: Facts<'_> = serde_json::from_slice(&payload).map_err(Error::internal)?;
    Ok(facts.meet(filters))
}

/// What made an issue new, regressed, escalating or met by a high-value account, and when.
pub struct Cause<'a> {
    pub kind: Kind,
    pub at: Timestamp,
    /// The one event, where it is known.
    pub event_id: Option<&'a str>,
}

/// Whether the filters hold of what caused a signal: of the one event, where it is known; of a quarter of the hour's events,
/// if an issue escalates; of one of the hour's, if an alert rule fired; otherwise of one of the last minute's.
pub fn cause_meets(
    c: &Connection,
    (project, issue): (ProjectId, IssueId),
    cause: &Cause<'_>,
    filters: &RuleFilters,
) -> Result<bool> {
    if !filters.ask_of_events() {
        return Ok(true);
    }
    if let Some(event_id) = cause.event_id {
        let mut statement = c.prepare_cached(
            "select payload from events where project_id = ?1 and event_key = ?2 and issue_id = ?3",
        )?;
        let mut rows = statement.query(params![project.0, key::encode(event_id), issue.0])?;
        return rows.next()?.map_or(Ok(false), |row| meets(row, 0, filters));
    }
    let escalates = cause.kind == Kind::IssueEscalating;
    // A rule that fired may have counted over a while.
    let is_long = escalates || cause.kind == Kind::AlertFired;
    let since = cause.at.plus(if is_long { -HOUR } else { -MINUTE }).millis();
    let (met, of) = sample(c, issue, (since, cause.at.millis()), filters)?;
    Ok(met > 0 && (!escalates || met * 4 >= of))
}

/// How many of the newest events within a time meet the filters, and how many were looked at.
fn sample(
    c: &Connection,
    issue: IssueId,
    (since, until): (i64, i64),
    filters: &RuleFilters,
) -> Result<(i64, i64)> {
    let mut statement = c.prepare_cached(
        "select payload from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3
         order by timestamp desc, id desc limit ?4",
    )?;
    let mut rows = statement.query([issue.0, since, until, SAMPLE_MAX])?;
    let (mut met, mut of) = (0, 0);
    while let Some(row) = rows.next()? {
        of += 1;
        met += i64::from(meets(row, 0, filters)?);
    }
    Ok((met, of))
}

/// How many events of an issue within a time meet the filters: counted up to `most`, the newest first. Of `left` is taken
/// how many had to be read; at 0, none are.
pub fn count(
    c: &Connection,
    issue: i64,
    (since, until): (i64, i64),
    filters: &RuleFilters,
    (most, left): (i64, &mut i64),
) -> Result<i64> {
    if !filters.ask_of_events() {
        let mut statement = c.prepare_cached(
            "select count(*) from (
                 select 1 from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3 limit ?4)",
        )?;
        return Ok(statement.query_row([issue, since, until, most], |row| row.get(0))?);
    }
    let mut statement = c.prepare_cached(
        "select payload from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3
         order by timestamp desc, id desc limit ?4",
    )?;
    let mut rows = statement.query([issue, since, until, (most + LOOKED_MAX).min(*left)])?;
    let mut count = 0;
    while count < most
        && let Some(row) = rows.next()?
    {
        *left -= 1;
        count += i64::from(meets(row, 0, filters)?);
    }
    Ok(count)
}

/// The times, in order, of at most `most` events of an issue since then that meet the filters; and how many were read.
pub fn times(
    c: &Connection,
    issue: i64,
    since: Timestamp,
    filters: &RuleFilters,
    most: i64,
) -> Result<(Vec<Timestamp>, i64)> {
    let mut statement = c.prepare_cached(
        "select timestamp, payload from events where issue_id = ?1 and timestamp > ?2 order by timestamp limit ?3",
    )?;
    let mut rows = statement.query(params![issue, since.millis(), most])?;
    let (mut times, mut read) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        read += 1;
        if !filters.ask_of_events() || meets(row, 1, filters)? {
            times.push(Timestamp::from_millis(row.get(0)?));
        }
    }
    Ok((times, read))
}
