//! The data that determines the suspect release of an issue.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::releases::suspect::{Candidate, Rise, SLACK, SuspectRelease, suspect};
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// Releases of an issue that are looked at, those it was last first seen in.
const CANDIDATES: i64 = 50;

/// The suspect release of an issue, if any.
pub fn suspect_of(c: &Connection, project: ProjectId, issue: IssueId) -> Result<Option<SuspectRelease>> {
    let Some((rise, at)) = rise(c, project, issue)? else { return Ok(None) };
    let only = match rise {
        Rise::Regressed => match regressed_in(c, issue)? {
            Some(release) => Some(release),
            None => return Ok(None),
        },
        Rise::FirstSeen | Rise::Escalating => None,
    };
    let found = suspect((rise, at), candidates(c, (project, issue), at, only.as_deref())?);
    match found {
        Some(found) if has_earlier(c, project, &found)? => Ok(Some(found)),
        _ => Ok(None),
    }
}

fn rise(c: &Connection, project: ProjectId, issue: IssueId) -> Result<Option<(Rise, Timestamp)>> {
    let found: Option<[Option<i64>; 3]> = c
        .prepare_cached(
            "select first_seen, regressed_at, escalating_at from issues where project_id = ?1 and id = ?2",
        )?
        .query_row(params![project.0, issue.0], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))
        .optional()?;
    let kinds = [Rise::FirstSeen, Rise::Regressed, Rise::Escalating];
    let rises = found.into_iter().flat_map(|times| kinds.into_iter().zip(times));
    let rises = rises.filter_map(|(kind, at)| Some((kind, Timestamp::from_millis(at?))));
    Ok(rises.max_by_key(|(_, at)| *at))
}

/// The release of the event that reopened an issue the last time.
fn regressed_in(c: &Connection, issue: IssueId) -> Result<Option<String>> {
    let found: Option<Option<String>> = c
        .prepare_cached(
            "select release from activity where issue_id = ?1 and kind = 'regressed' order by id desc limit 1",
        )?
        .query_row([issue.0], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

/// The releases of an issue's events around its rise; `only` one of them, if given.
fn candidates(
    c: &Connection,
    (project, issue): (ProjectId, IssueId),
    at: Timestamp,
    only: Option<&str>,
) -> Result<Vec<Candidate>> {
    let mut statement = c.prepare_cached(
        "select v.value, s.first_event_at from facets k
         join issue_facets f on f.issue_id = ?2 and f.facet_id = k.id and f.first_seen <= ?3 and f.last_seen >= ?4
         join facet_values v on v.id = f.value_id
         left join release_counts s on s.project_id = ?1 and s.version = v.value
         where k.project_id = ?1 and k.name = 'release' and (?5 is null or v.value = ?5)
         order by f.first_seen desc limit ?6",
    )?;
    let (last, first) = (at.plus(SLACK).millis(), at.plus(-HOUR).millis());
    let given = params![project.0, issue.0, last, first, only, CANDIDATES];
    let rows = statement.query_map(given, |row: &Row<'_>| {
        let first_event_at = row.get::<_, Option<i64>>(1)?.map(Timestamp::from_millis);
        Ok(Candidate { version: row.get(0)?, deployed: None, first_event_at })
    })?;
    let mut candidates: Vec<Candidate> = rows.collect::<rusqlite::Result<_>>()?;
    let mut deployed = c.prepare_cached(
        "select coalesce(d.started_at, d.finished_at) as at, d.environment
         from releases r join deploys d on d.release_id = r.id
         where r.project_id = ?1 and r.version = ?2 and coalesce(d.started_at, d.finished_at) <= ?4
             and d.environment in (
                 select v.value from facets k join issue_facets f on f.issue_id = ?3 and f.facet_id = k.id
                 join facet_values v on v.id = f.value_id where k.project_id = ?1 and k.name = 'environment')
         order by 1 desc limit 1",
    )?;
    for candidate in &mut candidates {
        let given = params![project.0, candidate.version, issue.0, last];
        candidate.deployed = deployed
            .query_row(given, |row| Ok((Timestamp::from_millis(row.get(0)?), row.get(1)?)))
            .optional()?;
    }
    Ok(candidates)
}

/// Whether another release existed before this one came out.
fn has_earlier(c: &Connection, project: ProjectId, found: &SuspectRelease) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from release_counts where project_id = ?1 and version <> ?2 and event_count > 0
                 and first_event_at < ?3)
             or exists (select 1 from deploys d join releases r on r.id = d.release_id
                 where d.project_id = ?1 and d.finished_at < ?3 and r.version <> ?2)",
    )?;
    Ok(statement.query_row(params![project.0, found.version, found.out_at.millis()], |row| row.get(0))?)
}
