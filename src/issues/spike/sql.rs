//! The statements that find escalating issues and end their escalation.

use super::{LIMIT_MIN, USUAL_AFTER, WINDOW_HOURS, YOUNG, limit, median, young_limit};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::activity::{self, Kind};
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

/// The number of issues, most recently seen first, from whose rates a project's median is taken. In a project
/// with more active issues, it leans towards frequent ones, and young issues escalate a little later.
const SAMPLE: i64 = 1_000;
/// The fewest issues for a median.
const COMPARED_MIN: usize = 5;

/// The state of an issue when its hour is judged.
struct State {
    id: IssueId,
    project: ProjectId,
    first_seen: Timestamp,
    escalating_at: Option<Timestamp>,
    /// The hour for which `limit` was calculated.
    hour: Option<i64>,
    limit: Option<i64>,
}

impl State {
    const COLUMNS: &str = "id, project_id, first_seen, escalating_at, spike_hour, spike_limit";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: IssueId(row.get(0)?),
            project: ProjectId(row.get(1)?),
            first_seen: Timestamp::from_millis(row.get(2)?),
            escalating_at: row.get::<_, Option<i64>>(3)?.map(Timestamp::from_millis),
            hour: row.get(4)?,
            limit: row.get(5)?,
        })
    }

    /// The limit of an hour, from the hours before it.
    fn limit_of(&self, tx: &Transaction<'_>, hour: i64) -> Result<i64> {
        let start = Timestamp::from_millis(hour * HOUR);
        if start.millis() + HOUR - self.first_seen.millis() <= YOUNG {
            return Ok(young_limit(median_rate(tx, self.project, hour)?));
        }
        let first = self.first_seen.hour().max(hour - WINDOW_HOURS);
        Ok(limit(&counts(tx, self.id, first, hour - 1)?))
    }
}

/// Marks an unresolved issue as escalating if `count`, the current hour's, has reached its limit.
pub fn check(tx: &Transaction<'_>, id: IssueId, count: i64, now: Timestamp) -> Result<()> {
    if count < LIMIT_MIN {
        return Ok(());
    }
    let query = format!(
        "select {} from issues where id = ?1 and status = 'unresolved' and escalating_at is null",
        State::COLUMNS
    );
    let found = tx.prepare_cached(&query)?.query_row([id.0], State::read).optional()?;
    let Some(state) = found else { return Ok(()) };
    if now.millis() - state.first_seen.millis() < HOUR {
        // Nobody can tell whether a first hour is unusual.
        return Ok(());
    }
    let limit = match state.limit {
        Some(limit) if state.hour == Some(now.hour()) => limit,
        _ => {
            let limit = state.limit_of(tx, now.hour())?;
            tx.prepare_cached("update issues set spike_hour = ?2, spike_limit = ?3 where id = ?1")?
                .execute(params![id.0, now.hour(), limit])?;
            limit
        }
    };
    if count < limit {
        return Ok(());
    }
    tx.prepare_cached("update issues set escalating_at = ?2 where id = ?1")?
        .execute(params![id.0, now.millis()])?;
    if activity::sql::has_since(tx, id, Kind::Escalating, now.plus(-HOUR))? {
        // It was resolved and came back: nobody is told twice within an hour.
        return Ok(());
    }
    let data = json!({"count": count, "limit": limit});
    activity::sql::add(tx, id, &activity::New { data, ..activity::New::automatic(Kind::Escalating) }, now)
}

/// Unresolved issues whose current hour has to be compared with a limit, at most `limit` of them.
pub fn suspects(c: &Connection, now: Timestamp, limit: i64) -> Result<Vec<(IssueId, i64)>> {
    // Starts from the projects: an issue that was seen this hour is found through its project's most recently
    // seen issues.
    let mut statement = c.prepare_cached(
        "select i.id, h.count from projects p
         cross join issues i on i.project_id = p.id and i.last_seen >= ?1
         cross join issue_hours h on h.issue_id = i.id and h.hour = ?2
         where p.deleted_at is null and h.count >= ?3 and i.status = 'unresolved' 
             and i.escalating_at is null limit ?4",
    )?;
    let rows = statement.query_map(params![now.hour() * HOUR, now.hour(), LIMIT_MIN, limit], |row| {
        Ok((IssueId(row.get(0)?), row.get(1)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Issues that have been escalating since before this hour.
pub fn escalating(c: &Connection, now: Timestamp) -> Result<Vec<IssueId>> {
    let mut statement =
        c.prepare_cached("select id from issues where escalating_at is not null and escalating_at < ?1")?;
    let rows = statement.query_map([now.hour() * HOUR], |row| row.get(0).map(IssueId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Ends an escalation if the last full hour is below the limit that was exceeded, or, after a day, below that
/// hour's own limit.
pub fn calm(tx: &Transaction<'_>, id: IssueId, now: Timestamp) -> Result<bool> {
    let query = format!("select {} from issues where id = ?1 and escalating_at < ?2", State::COLUMNS);
    let found =
        tx.prepare_cached(&query)?.query_row(params![id.0, now.hour() * HOUR], State::read).optional()?;
    let Some(state) = found else { return Ok(false) };
    let last = now.hour() - 1;
    let since = state.escalating_at.unwrap_or(now);
    let limit = match state.limit {
        Some(limit) if now.millis() - since.millis() < USUAL_AFTER => limit,
        _ => state.limit_of(tx, last)?,
    };
    if counts(tx, id, last, last)?.iter().any(|count| *count >= limit) {
        return Ok(false);
    }
    tx.prepare_cached("update issues set escalating_at = null where id = ?1")?.execute([id.0])?;
    Ok(true)
}

/// The events of each hour from `first` to `last`.
fn counts(c: &Connection, id: IssueId, first: i64, last: i64) -> Result<Vec<i64>> {
    let mut counts = vec![0; usize::try_from(last - first + 1).unwrap_or(0)];
    let mut statement = c.prepare_cached(
        "select hour, count from issue_hours where issue_id = ?1 and hour between ?2 and ?3",
    )?;
    let mut rows = statement.query(params![id.0, first, last])?;
    while let Some(row) = rows.next()? {
        let index = usize::try_from(row.get::<_, i64>(0)? - first).unwrap_or(0);
        counts[index] = row.get(1)?;
    }
    Ok(counts)
}

/// Events per hour of the project's median issue, among issues with several events in the week before `hour`;
/// infinite if there are too few to compare with. Calculated once an hour.
fn median_rate(tx: &Transaction<'_>, project: ProjectId, hour: i64) -> Result<f64> {
    let known = tx
        .prepare_cached("select median from issue_rates where project_id = ?1 and hour = ?2")?
        .query_row([project.0, hour], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    let rates = rates(tx, project, hour)?;
    let median = if rates.len() < COMPARED_MIN { f64::INFINITY } else { median(rates) };
    tx.prepare_cached(
        "insert into issue_rates (project_id, hour, median) values (?1, ?2, ?3)
         on conflict do update set hour = ?2, median = ?3",
    )?
    .execute(params![project.0, hour, median])?;
    Ok(median)
}

/// Counts only full hours, and none before the issue's first: an issue that began this hour has no rate yet.
fn rates(c: &Connection, project: ProjectId, hour: i64) -> Result<Vec<f64>> {
    let first = hour - WINDOW_HOURS;
    let mut statement = c.prepare_cached(
        "select sum(h.count), i.first_seen from (
             select id, first_seen from issues where project_id = ?1 and last_seen >= ?2
             order by last_seen desc limit ?5) i
         cross join issue_hours h on h.issue_id = i.id and h.hour >= ?3 and h.hour < ?4
         group by i.id having sum(h.count) > 1",
    )?;
    let rows = statement.query_map(params![project.0, first * HOUR, first, hour, SAMPLE], |row| {
        let began = row.get::<_, i64>(1)? / HOUR;
        Ok(row.get::<_, i64>(0)? as f64 / (hour - began.max(first)).max(1) as f64)
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
