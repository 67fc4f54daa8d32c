//! Events within an environment and a period: which issues have any, and their distribution over time.
//!
//! Whole hours are counted, so nothing here reads an event.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::within::{ENVIRONMENTS_MAX, Environment, Found, Limits, Within, bars, events_of};
use crate::time::{HOUR, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

// Issues and their events: of an environment, of the hours from ?2 to ?3, and of both.
const OF_ENVIRONMENT: &str = "select f.issue_id, f.count from facets k
    join facet_values v on v.facet_id = k.id and v.value = ?2
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id
    where k.project_id = ?1 and k.name = 'environment'";
const OF_PERIOD: &str = "select i.id, (select sum(h.count) from issue_hours h
        where h.issue_id = i.id and h.hour between ?2 and ?3)
    from issues i where i.project_id = ?1 and i.last_seen >= ?4";
const OF_BOTH: &str = "select f.issue_id, (select sum(h.count) from issue_environment_hours h
        where h.issue_id = f.issue_id and h.value_id = f.value_id and h.hour between ?2 and ?3)
    from facets k join facet_values v on v.facet_id = k.id and v.value = ?5
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id and f.last_seen >= ?4
    where k.project_id = ?1 and k.name = 'environment'";

/// The project's issues with events within the limits.
pub fn find(c: &Connection, project: ProjectId, limits: &Limits, now: Timestamp) -> Result<Found> {
    let first = limits.trend_period().first_hour(now);
    let times = [project.0, first, now.hour(), first * HOUR].map(Value::from);
    let name = limits.environment().map(|name| Value::from(name.to_owned()));
    let (sql, values): (_, Vec<Value>) = match limits {
        Limits::Environment(_) => (OF_ENVIRONMENT, std::iter::once(project.0.into()).chain(name).collect()),
        Limits::Period(_) => (OF_PERIOD, times.into()),
        Limits::Both(..) => (OF_BOTH, times.into_iter().chain(name).collect()),
    };
    let mut statement = c.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Found::new();
    while let Some(row) = rows.next()? {
        // A sum over no hours is null.
        if let Some(events) = row.get(1)? {
            found.insert(row.get(0)?, events);
        }
    }
    Ok(found)
}

/// An issue's events within the limits.
pub fn of_issue(
    c: &Connection,
    (project, id): (ProjectId, IssueId),
    limits: &Limits,
    found: &Found,
    now: Timestamp,
) -> Result<Within> {
    let period = limits.trend_period();
    let (first, last) = (period.first_hour(now), now.hour());
    let hours: Vec<(i64, i64)> = match limits.environment() {
        None => c
            .prepare_cached("select hour, count from issue_hours where issue_id = ?1 and hour between ?2 and ?3")?
            .query_map(params![id.0, first, last], pair)?
            .collect::<rusqlite::Result<_>>()?,
        Some(name) => c
            .prepare_cached(
                "select h.hour, h.count from facets k join facet_values v on v.facet_id = k.id and v.value = ?5
                 join issue_environment_hours h on h.issue_id = ?2 and h.value_id = v.id and h.hour between ?3 and ?4
                 where k.project_id = ?1 and k.name = 'environment'",
            )?
            .query_map(params![project.0, id.0, first, last, name], pair)?
            .collect::<rusqlite::Result<_>>()?,
    };
    Ok(Within {
        event_count: events_of(found, id),
        trend: bars(period, last, hours),
        bar_hours: period.bar_hours(),
    })
}

fn pair(row: &Row<'_>) -> rusqlite::Result<(i64, i64)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// A project's environments, those used last first, at most [`ENVIRONMENTS_MAX`].
pub fn environments(c: &Connection, project: ProjectId) -> Result<Vec<Environment>> {
    let mut statement = c.prepare_cached(
        "select v.value, (select max(f.last_seen) from issue_facets f
             where f.facet_id = k.id and f.value_id = v.id) as newest
         from facets k join facet_values v on v.facet_id = k.id
         where k.project_id = ?1 and k.name = 'environment'
         order by newest desc, v.id desc limit ?2",
    )?;
    let rows = statement.query_map((project.0, ENVIRONMENTS_MAX), |row| {
        let newest: Option<i64> = row.get(1)?;
        Ok(Environment { name: row.get(0)?, last_seen: Timestamp::from_millis(newest.unwrap_or(0)) })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
