//! What a preview reads of the past, newest first, and since when that is complete.

use super::events::{self, CountedEvent};
use super::thresholds::{EVENTS_MAX, ISSUES_MAX};
use crate::alerts::{RuleFilters, Threshold};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::signals::Kind;
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// The most signals that are read.
const SIGNALS_MAX: usize = 5_000;

/// A signal of an issue.
pub struct PastSignal {
    pub at: Timestamp,
    pub issue: IssueId,
    /// The event that caused it, if known.
    pub event_id: Option<String>,
}

/// A project's signals of a kind, and since when the list is complete: `since`, or later if there are too many.
pub fn signals(
    c: &Connection,
    project: ProjectId,
    kind: Kind,
    since: Timestamp,
) -> Result<(Vec<PastSignal>, Timestamp)> {
    let mut statement = c.prepare_cached(
        "select at, issue_id, payload ->> 'event_id' from signals
         where project_id = ?1 and kind = ?2 and at >= ?3 and issue_id is not null order by at desc limit ?4",
    )?;
    let given = params![project.0, kind.as_str(), since.millis(), SIGNALS_MAX as i64 + 1];
    let rows = statement.query_map(given, |row| {
        let (at, issue, event_id) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(PastSignal { at: Timestamp::from_millis(at), issue: IssueId(issue), event_id })
    })?;
    let mut told = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    if told.len() <= SIGNALS_MAX {
        return Ok((told, since));
    }
    let since = told[SIGNALS_MAX].at.plus(1);
    told.retain(|one| one.at >= since);
    Ok((told, since))
}

/// A stored event: its time, row id and issue.
type Row = (i64, i64, IssueId);

/// The newest events, up to a limit.
struct Newest {
    rows: Vec<Row>,
    /// All events later than this are in `rows`.
    after: i64,
}

impl Newest {
    fn keep(&mut self, most: usize) {
        if self.rows.len() <= most {
            return;
        }
        self.rows.select_nth_unstable_by(most, |one, other| other.cmp(one));
        self.after = self.after.max(self.rows[most].0);
        self.rows.retain(|row| row.0 > self.after);
    }
}

/// The events after `since` that match the filters, in order of time, of each issue that may have exceeded a
/// threshold, and since when they are complete. Issues that are ignored now are left out.
pub fn events(
    c: &Connection,
    (project, filters): (ProjectId, &RuleFilters),
    over: Threshold,
    since: Timestamp,
    mut wants: impl FnMut(IssueId) -> Result<bool>,
) -> Result<(BTreeMap<IssueId, Vec<CountedEvent>>, Timestamp)> {
    let mut newest = Newest { rows: Vec::new(), after: since.millis() };
    let most = usize::try_from(EVENTS_MAX).unwrap_or(usize::MAX);
    for (issue, last_seen, is_beyond) in issues(c, project, over, since)? {
        if is_beyond {
            newest.after = newest.after.max(last_seen);
            newest.rows.retain(|row| row.0 > last_seen);
        } else if last_seen > newest.after && wants(issue)? {
            let mut statement = c.prepare_cached(
                "select timestamp, id from events where issue_id = ?1 and timestamp > ?2
                 order by timestamp desc, id desc limit ?3",
            )?;
            let rows = statement.query_map([issue.0, newest.after, EVENTS_MAX + 1], |row| {
                Ok((row.get(0)?, row.get(1)?, issue))
            })?;
            for row in rows {
                newest.rows.push(row?);
            }
            newest.keep(most);
        }
    }
    newest.rows.sort_unstable();
    let mut seen = BTreeMap::<IssueId, Vec<CountedEvent>>::new();
    for (at, id, issue) in newest.rows {
        if let Some(one) = events::seen(c, id, Timestamp::from_millis(at), (filters, over))? {
            seen.entry(issue).or_default().push(one);
        }
    }
    Ok((seen, Timestamp::from_millis(newest.after)))
}

/// The issues with enough events since then, most recently seen first, each with its last event's time and whether it
/// is beyond the limit of issues.
fn issues(
    c: &Connection,
    project: ProjectId,
    over: Threshold,
    since: Timestamp,
) -> Result<Vec<(IssueId, i64, bool)>> {
    let mut statement = c.prepare_cached(
        "select i.id, i.last_seen from issues i
         where i.project_id = ?1 and i.last_seen > ?2 and i.status <> 'ignored'
             and (select coalesce(sum(h.count), 0) from issue_hours h where h.issue_id = i.id and h.hour >= ?3) > ?4
         order by i.last_seen desc limit ?5",
    )?;
    let hour = since.millis().div_euclid(HOUR);
    let given = params![project.0, since.millis(), hour, over.count, ISSUES_MAX + 1];
    let rows = statement.query_map(given, |row| Ok((IssueId(row.get(0)?), row.get(1)?)))?;
    let mut found = Vec::new();
    for (place, row) in rows.enumerate() {
        let (issue, last_seen) = row?;
        found.push((issue, last_seen, place as i64 == ISSUES_MAX));
    }
    Ok(found)
}
