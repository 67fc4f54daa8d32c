//! The health of releases: the totals of their events.

use super::{environments, last};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId, ReleaseId};
use crate::releases::{Figures, ReleaseHealth};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A project's releases: created ones, and those that only events name, which appeared with their first event.
const NAMED: &str = "named as (
    select r.id, r.version, r.created_at as at from releases r where r.project_id = ?1
    union all
    select null, s.version, s.first_event_at from release_counts s
    where s.project_id = ?1 and s.event_count > 0
        and not exists (select 1 from releases r where r.project_id = ?1 and r.version = s.version))";
/// All of this is found through indexes, and none of it grows with the project's issues: the sums are stored,
/// an issue has one first release, and regressions are separate rows.
const HEALTH: &str = "n.id, ?1, n.version, r.url_prefix, r.created_at, r.finalized_at,
    (select count(*) from source_maps m where m.release_id = n.id), r.commit_sha,
    (select count(*) from issues i where i.project_id = ?1 and i.first_release = n.version),
    (select count(distinct a.issue_id) from activity a join issues i on i.id = a.issue_id
     where a.kind = 'regressed' and a.release = n.version and i.project_id = ?1)";
/// The sums of a release, and those of an environment of it.
const SUMS: &str = "coalesce(s.event_count, 0), coalesce(s.issue_count, 0), coalesce(s.user_count, 0),
    s.first_event_at, s.last_event_at";
const SUMS_WITHIN: &str = "coalesce(e.event_count, 0), coalesce(e.issue_count, 0), coalesce(e.user_count, 0),
    e.first_event_at, e.last_event_at";
const JOINED: &str = "left join releases r on r.id = n.id
    left join release_counts s on s.project_id = ?1 and s.version = n.version and s.event_count > 0";

/// A release, created or only seen; in an environment, with the sums of what it has there.
pub fn get_health(
    c: &Connection,
    project: ProjectId,
    version: &str,
    environment: Option<&str>,
) -> Result<Option<ReleaseHealth>> {
    let sums = if environment.is_some() { SUMS_WITHIN } else { SUMS };
    let query = format!(
        "with {NAMED} select {HEALTH}, {sums}, null from named n {JOINED}
         left join release_environments e on e.release_id = s.id and e.environment = ?3 where n.version = ?2"
    );
    Ok(c.prepare_cached(&query)?.query_row(params![project.0, version, environment], health).optional()?)
}

/// Which releases are listed.
#[derive(Debug, Clone, Default)]
pub struct ReleaseFilter {
    /// They have it in their version; ASCII letters in either case.
    pub part: String,
    /// They have events in it, and only those are counted.
    pub environment: Option<String>,
    /// The first and the last hour of a period in which they have events.
    pub hours: Option<(i64, i64)>,
}

/// Whether a release has the part ?2, events in the hours from ?3 to ?4, and in the environment ?5 of these hours.
const FITS: &str = "instr(lower(n.version), lower(?2)) > 0 and (?3 is null or exists (
    select 1 from release_counts s join release_hours h on h.release_id = s.id and h.hour between ?3 and ?4
    where s.project_id = ?1 and s.version = n.version and s.event_count > 0)) and (?5 is null or exists (
    select 1 from release_counts s join release_environments e on e.release_id = s.id and e.environment = ?5
    where s.project_id = ?1 and s.version = n.version and (?3 is null or exists (
        select 1 from release_environment_hours h where h.environment_id = e.id and h.hour between ?3 and ?4))))";

/// The releases that a filter lets through, newest first, and how many there are.
pub fn list(
    c: &Connection,
    project: ProjectId,
    filter: &ReleaseFilter,
    page: Page,
) -> Result<(Vec<ReleaseHealth>, i64)> {
    const ORDER: &str = "n.at desc, n.id desc, n.version";
    let ReleaseFilter { part, environment, hours } = filter;
    let (first, last) = hours.unzip();
    let total = c
        .prepare_cached(&format!("with {NAMED} select count(*) from named n where {FITS}"))?
        .query_row(params![project.0, part, first, last, environment], |row| row.get(0))?;
    let (joined, sums, of) = match environment {
        Some(_) => (
            "left join release_environments e on e.release_id = s.id and e.environment = ?5",
            SUMS_WITHIN,
            "release_environment_hours h where h.environment_id = e.id",
        ),
        None => ("", SUMS, "release_hours h where h.release_id = s.id"),
    };
    // The page first: totals are only needed for its releases.
    let query = format!(
        "with {NAMED}, shown as (select * from named n where {FITS} order by {ORDER} limit ?6 offset ?7)
         select {HEALTH}, {sums}, (select sum(h.count) from {of} and h.hour between ?3 and ?4)
         from shown n {JOINED} {joined} order by {ORDER}"
    );
    let mut statement = c.prepare_cached(&query)?;
    let given = params![project.0, part, first, last, environment, page.limit, page.offset];
    let rows = statement.query_map(given, health)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

/// When each of a project's releases with events (in an environment, or in any) appeared, and its version; only
/// `created` ones, or all.
pub fn with_events(
    c: &Connection,
    project: ProjectId,
    created: bool,
    environment: Option<&str>,
) -> Result<Vec<(i64, String)>> {
    let mut statement = c.prepare_cached(
        "select coalesce(r.created_at, e.first_event_at, s.first_event_at), s.version from release_counts s
         left join releases r on r.project_id = s.project_id and r.version = s.version
         left join release_environments e on e.release_id = s.id and e.environment = ?3
         where s.project_id = ?1 and s.event_count > 0 and (r.id is not null or not ?2)
             and (?3 is null or e.id is not null)
         order by 1, r.id",
    )?;
    let given = params![project.0, created, environment];
    let rows = statement.query_map(given, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn health(row: &Row<'_>) -> rusqlite::Result<ReleaseHealth> {
    let time = |index: usize| {
        Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis))
    };
    Ok(ReleaseHealth {
        id: row.get::<_, Option<i64>>(0)?.map(ReleaseId),
        project_id: ProjectId(row.get(1)?),
        version: row.get(2)?,
        url_prefix: row.get(3)?,
        created_at: time(4)?,
        finalized_at: time(5)?,
        source_map_count: row.get(6)?,
        commit: row.get(7)?,
        events_within: row.get(15)?,
        figures: Figures {
            event_count: row.get(10)?,
            issue_count: row.get(11)?,
            new_issue_count: row.get(8)?,
            regression_count: row.get(9)?,
            first_event_at: time(13)?,
            last_event_at: time(14)?,
            user_count: row.get(12)?,
        },
    })
}

/// What a batch adds to a release.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseCounts {
    pub events: i64,
    /// Issues that are new to it.
    pub issues: i64,
    /// Milliseconds since the epoch.
    pub first: i64,
    pub last: i64,
}

/// Adds to the sums of a release, created or not; `true` if nothing had counted it before. Its values of the facet `release`
/// are written already.
pub fn count(tx: &Transaction<'_>, project: ProjectId, version: &str, seen: ReleaseCounts) -> Result<bool> {
    let known = tx
        .prepare_cached(
            "update release_counts set event_count = event_count + ?3, issue_count = issue_count + ?4,
                 first_event_at = min(first_event_at, ?5), last_event_at = max(last_event_at, ?6)
             where project_id = ?1 and version = ?2",
        )?
        .execute(params![project.0, version, seen.events, seen.issues, seen.first, seen.last])?;
    if known == 0 {
        begin(tx, project, version)?;
    }
    Ok(known == 0)
}

/// Starts the sums of a release that only events name, from its issues, if it has none: it is new, or its sums were
/// dropped.
pub fn begin(tx: &Transaction<'_>, project: ProjectId, version: &str) -> Result<()> {
    let Some((facet, value)) = value_of(tx, project, version)? else { return Ok(()) };
    tx.prepare_cached(
        "insert into release_counts (project_id, version, event_count, issue_count, first_event_at, last_event_at)
         select ?1, ?2, sum(count), count(*), min(first_seen), max(last_seen)
         from issue_facets where facet_id = ?3 and value_id = ?4 having sum(count) > 0
         on conflict do nothing",
    )?
    .execute(params![project.0, version, facet, value])?;
    Ok(())
}

/// Drops the sums of releases that only events name, except the `kept` ones with the newest last events, and at most
/// `limit` rows at once; `true` if some may be left. A release goes once nothing refers to it: with it, they would be as
/// many as there are.
pub fn forget_seen(tx: &Transaction<'_>, project: ProjectId, kept: i64, limit: i64) -> Result<bool> {
    let dropped = tx
        .prepare_cached(
            "select s.id from release_counts s where s.project_id = ?1
                 and not exists (select 1 from releases r where r.project_id = ?1 and r.version = s.version)
             order by s.last_event_at desc, s.id desc limit ?3 offset ?2",
        )?
        .query_map((project.0, kept, limit), |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut left = limit;
    for id in dropped {
        left -= last::empty(tx, id, left)?;
        left -= environments::empty_release(tx, id, left)?;
        if left <= 0 {
            return Ok(true);
        }
        left -= tx.prepare_cached("delete from release_counts where id = ?1")?.execute([id])? as i64;
    }
    Ok(left <= 0)
}

/// The projects with more than `kept` counted releases that only events name.
pub fn with_more_seen(c: &Connection, kept: i64) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select p.id from projects p where exists (
             select 1 from release_counts s where s.project_id = p.id
                 and not exists (select 1 from releases r where r.project_id = p.id and r.version = s.version)
             limit 1 offset ?1)",
    )?;
    let rows = statement.query_map([kept], |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Adds to a release's hours and to its users. A release that no issue counts has neither.
pub fn count_within(
    tx: &Transaction<'_>,
    project: ProjectId,
    version: &str,
    hours: &BTreeMap<i64, i64>,
    users: &BTreeSet<i64>,
) -> Result<()> {
    let found: Option<i64> = tx
        .prepare_cached("select id from release_counts where project_id = ?1 and version = ?2")?
        .query_row(params![project.0, version], |row| row.get(0))
        .optional()?;
    let Some(id) = found else { return Ok(()) };
    let mut add = tx.prepare_cached(
        "insert into release_hours (release_id, hour, count) values (?1, ?2, ?3)
         on conflict do update set count = count + ?3",
    )?;
    hours.iter().try_for_each(|(hour, count)| add.execute((id, hour, count)).map(drop))?;
    let mut add = tx.prepare_cached(
        "insert into release_users (release_id, user) values (?1, ?2) on conflict do nothing",
    )?;
    let mut new = 0;
    for user in users {
        new += add.execute((id, user))?;
    }
    if new > 0 {
        tx.prepare_cached(
            "update release_counts set user_count = user_count + ?2, has_users = 1 where id = ?1",
        )?
        .execute((id, new as i64))?;
    }
    Ok(())
}

/// Forgets some of who the users of a release were whose last event is before `until`, at most `limit` at once of all and of
/// those in environments; `false` once nothing is left. The numbers stay.
pub fn forget_users(tx: &Transaction<'_>, until: Timestamp, limit: i64) -> Result<bool> {
    let found: Option<i64> = tx
        .prepare_cached("select id from release_counts where has_users = 1 and last_event_at < ?1 limit 1")?
        .query_row([until.millis()], |row| row.get(0))
        .optional()?;
    let Some(id) = found else { return Ok(false) };
    let deleted = last::delete_users(tx, id, limit)?;
    let deleted_within = environments::forget_users(tx, id, limit)?;
    if deleted < limit && deleted_within < limit {
        tx.prepare_cached("update release_counts set has_users = 0 where id = ?1")?.execute([id])?;
    }
    Ok(true)
}

/// The ids of the facet `release` and of its value for a version; `None` if no issue has it.
pub fn value_of(c: &Connection, project: ProjectId, version: &str) -> Result<Option<(i64, i64)>> {
    let mut statement = c.prepare_cached(
        "select k.id, v.id from facets k join facet_values v on v.facet_id = k.id and v.value = ?2
         where k.project_id = ?1 and k.name = 'release'",
    )?;
    Ok(statement.query_row(params![project.0, version], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// The hours from ?3 to ?4 of a release, and those of its environment ?5.
const HOURS: &str = "select h.hour, h.count from release_counts s
    join release_hours h on h.release_id = s.id and h.hour between ?3 and ?4
    where s.project_id = ?1 and s.version = ?2 and ?5 is null";
const HOURS_WITHIN: &str = "select h.hour, h.count from release_counts s
    join release_environments e on e.release_id = s.id and e.environment = ?5
    join release_environment_hours h on h.environment_id = e.id and h.hour between ?3 and ?4
    where s.project_id = ?1 and s.version = ?2";

/// Events of a release, in an environment or in all, in each of the hours from `first` to `last`.
pub fn hours_of(
    c: &Connection,
    (project, version): (ProjectId, &str),
    environment: Option<&str>,
    (first, last): (i64, i64),
) -> Result<Vec<i64>> {
    let mut counts = vec![0; usize::try_from(last - first + 1).unwrap_or(0)];
    let mut statement = c.prepare_cached(if environment.is_some() { HOURS_WITHIN } else { HOURS })?;
    let mut rows = statement.query(params![project.0, version, first, last, environment])?;
    while let Some(row) = rows.next()? {
        if let Some(count) =
            usize::try_from(row.get::<_, i64>(0)? - first).ok().and_then(|at| counts.get_mut(at))
        {
            *count = row.get(1)?;
        }
    }
    Ok(counts)
}

/// Issues of a release that are examined from either end.
const LOOKED_AT: i64 = 1_000;

/// The issues most recently seen with a release, and when. In a release with very many, only the oldest
/// (which may still be seen) and the newest are examined.
pub fn issues_seen(
    c: &Connection,
    project: ProjectId,
    version: &str,
    limit: usize,
) -> Result<Vec<(IssueId, Timestamp)>> {
    let Some((facet, value)) = value_of(c, project, version)? else { return Ok(Vec::new()) };
    let mut issues = BTreeSet::new();
    for order in ["asc", "desc"] {
        let mut statement = c.prepare_cached(&format!(
            "select issue_id from issue_facets where facet_id = ?1 and value_id = ?2
             order by issue_id {order} limit ?3"
        ))?;
        for issue in statement.query_map((facet, value, LOOKED_AT), |row| row.get::<_, i64>(0))? {
            issues.insert(issue?);
        }
    }
    let mut last_seen = c.prepare_cached(
        "select last_seen from issue_facets where issue_id = ?1 and facet_id = ?2 and value_id = ?3",
    )?;
    let mut seen = Vec::with_capacity(issues.len());
    for issue in issues {
        let last = last_seen.query_row((issue, facet, value), |row| row.get(0))?;
        seen.push((IssueId(issue), Timestamp::from_millis(last)));
    }
    seen.sort_by_key(|(issue, last)| (Reverse(*last), *issue));
    seen.truncate(limit);
    Ok(seen)
}
