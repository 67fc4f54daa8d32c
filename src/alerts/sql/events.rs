//! What single events say that the filters of rules ask for.

use crate::alerts::{RuleFilters, RuleTag, Threshold};
use crate::error::{Error, Result};
use crate::event::accepted::{Level, User};
use crate::event::{facets, key};
use crate::ids::{IssueId, ProjectId};
use crate::signals::Kind;
use crate::store::unpack;
use crate::time::{HOUR, MINUTE, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

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
    #[serde(borrow, default)]
    user: Option<User<'a>>,
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
    Ok(met(row, column, filters)?.is_some())
}

/// An event of which the filters hold.
struct Met {
    /// Stands for whoever it happened to.
    person: Option<u64>,
}

fn met(row: &Row<'_>, column: usize, filters: &RuleFilters) -> Result<Option<Met>> {
    let packed = row.get_ref(column)?.as_blob().map_err(Error::internal)?;
    let payload = unpack(packed, EVENT_MAX)?;
    let facts: Facts<'_> = serde_json::from_slice(&payload).map_err(Error::internal)?;
    let person = facts.user.as_ref().and_then(facets::person).map(|person| {
        let mut hasher = DefaultHasher::new();
        person.hash(&mut hasher);
        hasher.finish()
    });
    Ok(facts.meet(filters).then_some(Met { person }))
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

/// Whether an issue is over a threshold within a time, by events that meet the filters, the newest first. Of `left` is taken
/// how many had to be read; at 0, none are.
pub fn are_over(
    c: &Connection,
    issue: i64,
    (since, until): (i64, i64),
    filters: &RuleFilters,
    (over, left): (Threshold, &mut i64),
) -> Result<bool> {
    if !over.reads(filters) {
        let mut statement = c.prepare_cached(
            "select count(*) from (
                 select 1 from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3 limit ?4)",
        )?;
        let given = [issue, since, until, over.count + 1];
        return Ok(statement.query_row(given, |row| row.get::<_, i64>(0))? > over.count);
    }
    let mut statement = c.prepare_cached(
        "select payload from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3
         order by timestamp desc, id desc limit ?4",
    )?;
    let most = over.count.max(over.users.unwrap_or(0)) + 1 + LOOKED_MAX;
    let mut rows = statement.query([issue, since, until, most.min(*left)])?;
    let (mut count, mut people) = (0, HashSet::new());
    while let Some(row) = rows.next()? {
        *left -= 1;
        let Some(Met { person }) = met(row, 0, filters)? else { continue };
        count += 1;
        people.extend(person);
        if over.is_exceeded(count, people.len()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// An event that was counted.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub at: Timestamp,
    /// Stands for whoever it happened to; `None` as well if nobody asks.
    pub person: Option<u64>,
}

/// At most `most` events of an issue since then that meet the filters, in order of time; and how many were read.
pub fn seen(
    c: &Connection,
    issue: i64,
    since: Timestamp,
    filters: &RuleFilters,
    (over, most): (Threshold, i64),
) -> Result<(Vec<Seen>, i64)> {
    let mut statement = c.prepare_cached(
        "select timestamp, payload from events where issue_id = ?1 and timestamp > ?2 order by timestamp limit ?3",
    )?;
    let mut rows = statement.query(params![issue, since.millis(), most])?;
    let (mut seen, mut read) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        read += 1;
        let found = if over.reads(filters) { met(row, 1, filters)? } else { Some(Met { person: None }) };
        if let Some(Met { person }) = found {
            seen.push(Seen { at: Timestamp::from_millis(row.get(0)?), person });
        }
    }
    Ok((seen, read))
}

/// When the threshold was exceeded, at each event by which it was.
pub fn exceeded(seen: &[Seen], over: Threshold) -> Vec<Timestamp> {
    let (mut first, mut people, mut found) = (0, HashMap::new(), Vec::new());
    for (last, event) in seen.iter().enumerate() {
        if let Some(person) = event.person {
            *people.entry(person).or_insert(0) += 1;
        }
        while event.at.millis() - seen[first].at.millis() >= over.minutes * MINUTE {
            forget(&mut people, seen[first].person);
            first += 1;
        }
        if over.is_exceeded((last - first + 1) as i64, people.len()) {
            found.push(event.at);
        }
    }
    found
}

fn forget(people: &mut HashMap<u64, u32>, person: Option<u64>) {
    let Some(person) = person else { return };
    if let Some(count) = people.get_mut(&person) {
        *count -= 1;
        if *count == 0 {
            people.remove(&person);
        }
    }
}
