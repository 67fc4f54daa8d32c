//! Events within an environment and a period: which issues have any, when, and how they are spread over it.
//!
//! Whole hours are counted, so nothing here reads an event.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::issues::Issue;
use crate::issues::within::{ENVIRONMENTS_MAX, Environment, Limits, Part, PartsByIssue, Within, bars};
use crate::time::{HOUR, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

// Issues, when an environment was first and last seen in them, and their events: of an environment, of the hours from ?2
// to ?3, and of both.
const OF_ENVIRONMENT: &str = "select f.issue_id, f.first_seen, f.last_seen, f.count from facets k
    join facet_values v on v.facet_id = k.id and v.value = ?2
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id
    where k.project_id = ?1 and k.name = 'environment'";
const OF_PERIOD: &str = "select i.id, null, null, (select sum(h.count) from issue_hours h
        where h.issue_id = i.id and h.hour between ?2 and ?3)
    from issues i where i.project_id = ?1 and i.last_seen >= ?4";
const OF_BOTH: &str = "select f.issue_id, f.first_seen, f.last_seen,
        (select sum(h.count) from issue_environment_hours h
         where h.issue_id = f.issue_id and h.value_id = f.value_id and h.hour between ?2 and ?3)
    from facets k join facet_values v on v.facet_id = k.id and v.value = ?5
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id and f.last_seen >= ?4
    where k.project_id = ?1 and k.name = 'environment'";
// The same issues without their number of events: one that was last seen in these hours has some. Only for the others,
// which were seen later as well, an hour is looked up.
const ANY_OF_PERIOD: &str = "select i.id, null, null, iif(i.last_seen / 3600000 <= ?3, 1,
        (select h.count from issue_hours h where h.issue_id = i.id and h.hour between ?2 and ?3 limit 1))
    from issues i where i.project_id = ?1 and i.last_seen >= ?4";
const ANY_OF_BOTH: &str = "select f.issue_id, f.first_seen, f.last_seen, iif(f.last_seen / 3600000 <= ?3, 1,
        (select h.count from issue_environment_hours h
         where h.issue_id = f.issue_id and h.value_id = f.value_id and h.hour between ?2 and ?3 limit 1))
    from facets k join facet_values v on v.facet_id = k.id and v.value = ?5
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id and f.last_seen >= ?4
    where k.project_id = ?1 and k.name = 'environment'";

/// Which hours of an issue are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hours {
    /// All of them, for the number of its events.
    All,
    /// At most one, which tells that it has events.
    One,
}

/// The project's issues with events within the limits, and with [`Hours::All`] how many those are.
pub fn find(
    c: &Connection,
    (project, limits): (ProjectId, &Limits),
    hours: Hours,
    now: Timestamp,
) -> Result<PartsByIssue> {
    let first = limits.trend_period().first_hour(now);
    let times = [project.0, first, now.hour(), first * HOUR].map(Value::from);
    let name = limits.environment().map(|name| Value::from(name.to_owned()));
    let values: Vec<Value> = match limits {
        Limits::Environment(_) => std::iter::once(project.0.into()).chain(name).collect(),
        Limits::Period(_) | Limits::Both(..) => times.into_iter().chain(name).collect(),
    };
    let sql = match (limits, hours) {
        (Limits::Environment(_), _) => OF_ENVIRONMENT,
        (Limits::Period(_), Hours::All) => OF_PERIOD,
        (Limits::Period(_), Hours::One) => ANY_OF_PERIOD,
        (Limits::Both(..), Hours::All) => OF_BOTH,
        (Limits::Both(..), Hours::One) => ANY_OF_BOTH,
    };
    let mut statement = c.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = PartsByIssue::new();
    while let Some(row) = rows.next()? {
        // No hour, no sum.
        if let Some(events) = row.get(3)? {
            let times = row.get::<_, Option<i64>>(1)?.zip(row.get(2)?);
            found.insert(row.get(0)?, Part { events, times });
        }
    }
    Ok(found)
}

/// An issue's events within the limits.
pub fn of_issue(
    c: &Connection,
    issue: &Issue,
    limits: &Limits,
    found: &PartsByIssue,
    now: Timestamp,
) -> Result<Within> {
    let (project, id) = (issue.project_id, issue.id);
    let part = found.get(&id.0).copied().unwrap_or_default();
    let times = part.times.map(|(first, last)| (Timestamp::from_millis(first), Timestamp::from_millis(last)));
    let (first_seen, last_seen) = times.unwrap_or((issue.first_seen, issue.last_seen));
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
    let event_count = match limits {
        Limits::Environment(_) => part.events,
        Limits::Period(_) | Limits::Both(..) => hours.iter().map(|(_, count)| count).sum(),
    };
    Ok(Within {
        event_count,
        trend: bars(period, last, hours),
        bar_hours: period.bar_hours(),
        first_seen,
        last_seen,
    })
}

fn pair(row: &Row<'_>) -> rusqlite::Result<(i64, i64)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// A project's environments, those used last first, at most [`ENVIRONMENTS_MAX`].
pub fn environments(c: &Connection, project: ProjectId) -> Result<Vec<Environment>> {
    let mut statement = c.prepare_cached(
        "select v.value, e.last_seen from environments e join facet_values v on v.id = e.value_id
         where e.facet_id = (select id from facets where project_id = ?1 and name = 'environment')
         order by e.last_seen desc, e.value_id desc limit ?2",
    )?;
    let rows = statement.query_map((project.0, ENVIRONMENTS_MAX), |row| {
        Ok(Environment { name: row.get(0)?, last_seen: Timestamp::from_millis(row.get(1)?) })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
