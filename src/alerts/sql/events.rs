//! What the filters of rules need to know of single events.

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
/// Events of an issue that are read beyond the threshold, because some may not match the filters.
pub const BEYOND_MAX: i64 = 5_000;
/// Events that are sampled to find out what made an issue escalate.
const SAMPLE_MAX: i64 = 200;

/// The part of an event that filters look at.
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

/// Whether the event whose payload is in a column matches the filters.
fn meets(row: &Row<'_>, column: usize, filters: &RuleFilters) -> Result<bool> {
    Ok(met(row, column, filters)?.is_some())
}

/// An event that matches the filters.
struct MatchingEvent {
    /// A hash that identifies the affected person.
    person: Option<u64>,
}

fn met(row: &Row<'_>, column: usize, filters: &RuleFilters) -> Result<Option<MatchingEvent>> {
    let packed = row.get_ref(column)?.as_blob().map_err(Error::internal)?;
    let payload = unpack(packed, EVENT_MAX)?;
    let facts: Facts<'_> = serde_json::from_slice(&payload).map_err(Error::internal)?;
    let person = facts.user.as_ref().and_then(facets::person).map(|person| {
        let mut hasher = DefaultHasher::new();
        person.hash(&mut hasher);
        hasher.finish()
    });
    Ok(facts.meet(filters).then_some(MatchingEvent { person }))
}

/// What caused a signal about an issue, and when.
pub struct Cause<'a> {
    pub kind: Kind,
    pub at: Timestamp,
    /// The event that caused it, if known.
    pub event_id: Option<&'a str>,
}

/// Whether the filters match what caused a signal: its event, if known; a quarter of the last hour's events for an
/// escalation; any event of the last hour for an alert rule; otherwise any event of the last minute.
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
    // An alert rule may have counted over a long period.
    let is_long = escalates || cause.kind == Kind::AlertFired;
    let since = cause.at.plus(if is_long { -HOUR } else { -MINUTE }).millis();
    let (met, of) = sample(c, issue, (since, cause.at.millis()), filters)?;
    Ok(met > 0 && (!escalates || met * 4 >= of))
}

/// How many of the newest events in a period match the filters, and how many were read.
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

/// Whether an issue exceeds a threshold, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    Under,
    Over,
    /// More events would have to be read than allowed.
    Unknown,
}

/// Whether an issue's matching events in a period exceed a threshold; reads the newest first. Subtracts the number of
/// events read from `left`.
pub fn judge(
    c: &Connection,
    issue: i64,
    (since, until): (i64, i64),
    filters: &RuleFilters,
    (over, left): (Threshold, &mut i64),
) -> Result<Judged> {
    let all: i64 = c
        .prepare_cached(
            "select count(*) from (
                 select 1 from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3 limit ?4)",
        )?
        .query_row([issue, since, until, over.count + 1], |row| row.get(0))?;
    if all <= over.count {
        return Ok(Judged::Under);
    }
    if !over.reads(filters) {
        return Ok(Judged::Over);
    }
    let most = over.count.max(over.users.unwrap_or(0)) + 1 + BEYOND_MAX;
    let mut may_read = most.min(*left);
    let mut statement = c.prepare_cached(
        "select payload from events where issue_id = ?1 and timestamp > ?2 and timestamp <= ?3
         order by timestamp desc, id desc limit ?4",
    )?;
    let mut rows = statement.query([issue, since, until, may_read + 1])?;
    let (mut count, mut people) = (0, HashSet::new());
    while let Some(row) = rows.next()? {
        if may_read == 0 {
            return Ok(Judged::Unknown);
        }
        (may_read, *left) = (may_read - 1, *left - 1);
        let Some(MatchingEvent { person }) = met(row, 0, filters)? else { continue };
        count += 1;
        people.extend(person);
        if over.is_exceeded(count, people.len()) {
            return Ok(Judged::Over);
        }
    }
    Ok(Judged::Under)
}

/// An event that was counted.
#[derive(Debug, Clone, Copy)]
pub struct CountedEvent {
    pub at: Timestamp,
    /// A hash that identifies the affected person; `None` as well if people are not counted.
    pub person: Option<u64>,
}

/// One stored event; `None` if it does not match the filters or has been deleted. The payload is read only if needed.
pub fn seen(
    c: &Connection,
    id: i64,
    at: Timestamp,
    (filters, over): (&RuleFilters, Threshold),
) -> Result<Option<CountedEvent>> {
    if !over.reads(filters) {
        return Ok(Some(CountedEvent { at, person: None }));
    }
    let mut statement = c.prepare_cached("select payload from events where id = ?1")?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(met(row, 0, filters)?.map(|MatchingEvent { person }| CountedEvent { at, person }))
}

/// The periods in which the threshold was exceeded, each with its start and its exclusive end.
pub fn exceeded(seen: &[CountedEvent], over: Threshold) -> Vec<(Timestamp, Timestamp)> {
    let length = over.minutes * MINUTE;
    let (mut first, mut next, mut people) = (0, 0, HashMap::new());
    let (mut found, mut began) = (Vec::new(), None);
    while first < seen.len() {
        let ends = seen[first].at.plus(length);
        let now = seen.get(next).map_or(ends, |event| event.at.min(ends));
        while first < next && seen[first].at.plus(length) <= now {
            forget(&mut people, seen[first].person);
            first += 1;
        }
        while let Some(event) = seen.get(next).filter(|event| event.at <= now) {
            if let Some(person) = event.person {
                *people.entry(person).or_insert(0) += 1;
            }
            next += 1;
        }
        match (began, over.is_exceeded((next - first) as i64, people.len())) {
            (None, true) => began = Some(now),
            (Some(from), false) => {
                found.push((from, now));
                began = None;
            }
            _ => {}
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
