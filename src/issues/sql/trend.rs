//! Events per hour.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::Trend;
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, Row, params};

/// An issue's trend over a number of hours.
pub fn trend(c: &Connection, id: IssueId, hours: u64, now: Timestamp) -> Result<Trend> {
    let first = now.hour() - hours.cast_signed() + 1;
    let mut statement = c.prepare_cached(
        "select hour, count from issue_hours where issue_id = ?1 and hour between ?2 and ?3",
    )?;
    let rows = statement.query_map(params![id.0, first, now.hour()], hour)?;
    fill(rows, first, hours)
}

/// Events per hour of a project's issues that were seen since ?2; and those in the environment ?5, of its issues that
/// were seen there since then.
const OF_PROJECT: &str = "select h.hour, sum(h.count) from issues i join issue_hours h on h.issue_id = i.id
    where i.project_id = ?1 and i.last_seen >= ?2 and h.hour between ?3 and ?4 and ?5 is null group by h.hour";
const OF_ENVIRONMENT: &str = "select h.hour, sum(h.count) from facets k
    join facet_values v on v.facet_id = k.id and v.value = ?5
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id and f.last_seen >= ?2
    join issue_environment_hours h on h.issue_id = f.issue_id and h.value_id = f.value_id
        and h.hour between ?3 and ?4
    where k.project_id = ?1 and k.name = 'environment' group by h.hour";

/// The trend of all issues of a project together, in an environment or in all. Reads one row for each issue and hour
/// with events, so never more of those than there were events; of an environment, also one for each issue that was ever
/// seen there.
pub fn project_trend(
    c: &Connection,
    project: ProjectId,
    environment: Option<&str>,
    hours: u64,
    now: Timestamp,
) -> Result<Trend> {
    let first = now.hour() - hours.cast_signed() + 1;
    let mut statement = c.prepare_cached(if environment.is_some() { OF_ENVIRONMENT } else { OF_PROJECT })?;
    let given = params![project.0, first * HOUR, first, now.hour(), environment];
    let rows = statement.query_map(given, hour)?;
    fill(rows, first, hours)
}

fn hour(row: &Row<'_>) -> rusqlite::Result<(i64, i64)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// Fills in hours without a row, which had no events.
fn fill(rows: impl Iterator<Item = rusqlite::Result<(i64, i64)>>, first: i64, hours: u64) -> Result<Trend> {
    let mut counts = vec![0; usize::try_from(hours).unwrap_or(0)];
    for row in rows {
        let (hour, count) = row?;
        if let Some(place) = usize::try_from(hour - first).ok().and_then(|index| counts.get_mut(index)) {
            *place = count;
        }
    }
    Ok(Trend { start: Timestamp::from_millis(first * HOUR), counts })
}
