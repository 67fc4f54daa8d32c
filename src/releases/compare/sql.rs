//! The figures by which two releases are compared.

use super::{ComparedIssue, ComparedIssues, ComparedRelease, Comparison, ISSUES_SHOWN, Period};
use crate::error::Result;
use crate::event::accepted::Level;
use crate::ids::{IssueId, ProjectId};
use crate::issues::Status;
use crate::projects::issue_short_id;
use crate::releases::order::before;
use crate::releases::{ReleaseHealth, sql};
use crate::time::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};

/// The previous release with events. For a release that was created, another created one is preferred, because
/// anybody can name a release in an event.
pub fn previous(c: &Connection, release: &ReleaseHealth) -> Result<Option<String>> {
    let came = release.created_at.or(release.figures.first_event_at).map_or(i64::MAX, Timestamp::millis);
    let of = |created| -> Result<Option<String>> {
        let all = sql::with_events(c, release.project_id, created)?;
        Ok(before(&release.version, came, &all).map(str::to_owned))
    };
    match release.id.map(|_| of(true)).transpose()?.flatten() {
        Some(created) => Ok(Some(created)),
        None => of(false),
    }
}

/// Compares a release with `base`.
pub fn compare(
    c: &Connection,
    project: ProjectId,
    release: ReleaseHealth,
    base: Option<ReleaseHealth>,
    now: Timestamp,
) -> Result<Comparison> {
    let period = out_at(c, &release)?.map(|out| Period::since(out, now));
    let version = release.version.clone();
    let base_version = base.as_ref().map(|base| base.version.clone());
    let both: [&dyn ToSql; 3] = [&project.0, &version, &base_version];
    let (new_total, regressed_total) = (release.figures.new_issue_count, release.figures.regression_count);
    let gone = match &base_version {
        Some(base) => gone(c, project, &version, base)?,
        None => ComparedIssues::default(),
    };
    Ok(Comparison {
        new_issues: ComparedIssues { issues: issues(c, NEW, &both)?, total: new_total },
        regressions: ComparedIssues { issues: issues(c, REGRESSED, &both)?, total: regressed_total },
        gone,
        release: compared(c, release, period, now)?,
        base: base.map(|base| compared(c, base, period.map(Period::before), now)).transpose()?,
    })
}

fn compared(
    c: &Connection,
    health: ReleaseHealth,
    period: Option<Period>,
    now: Timestamp,
) -> Result<ComparedRelease> {
    let out_at = out_at(c, &health)?;
    let compared_events = period.map_or(Ok(0), |period| events_within(c, &health, period))?;
    let (events, users) = (health.figures.event_count, health.figures.user_count);
    Ok(ComparedRelease {
        out_at,
        from: period.map(Period::from),
        to: period.map(|period| period.to(now)),
        compared_events,
        events_per_hour: period.map_or(0.0, |period| compared_events as f64 / period.hours),
        events_per_user: (users > 0).then(|| events as f64 / users as f64),
        health,
    })
}

/// When a release came out: its first deploy or its first event.
fn out_at(c: &Connection, health: &ReleaseHealth) -> Result<Option<Timestamp>> {
    let deployed: Option<i64> = c
        .prepare_cached("select min(coalesce(started_at, finished_at)) from deploys where release_id = ?1")?
        .query_row([health.id.map(|id| id.0)], |row| row.get(0))?;
    let deployed = deployed.map(Timestamp::from_millis);
    Ok([deployed, health.figures.first_event_at].into_iter().flatten().min())
}

fn events_within(c: &Connection, release: &ReleaseHealth, period: Period) -> Result<i64> {
    let mut statement = c.prepare_cached(
        "select coalesce(sum(h.count), 0) from release_counts s
         join release_hours h on h.release_id = s.id and h.hour between ?3 and ?4
         where s.project_id = ?1 and s.version = ?2",
    )?;
    let given = params![release.project_id.0, release.version, period.first, period.last];
    Ok(statement.query_row(given, |row| row.get(0))?)
}

/// Issues first seen in a release; those that regressed in it; and those of the other that it has no event of. The
/// newest 1,000 of each are looked at. The first three parameters are those of [`issues`].
const NEW: &str =
    "select id from issues where project_id = ?1 and first_release = ?2 order by id desc limit 1000";
const REGRESSED: &str = "select distinct a.issue_id as id from activity a join issues i on i.id = a.issue_id
    where a.kind = 'regressed' and a.release = ?2 and i.project_id = ?1 order by 1 desc limit 1000";
const GONE: &str = "select o.issue_id as id from (
        select issue_id from issue_facets where facet_id = ?4 and value_id = ?5 order by issue_id desc limit 1000) o
    where not exists (select 1 from issue_facets f
        where f.issue_id = o.issue_id and f.facet_id = ?4 and f.value_id = ?6)";

/// How many events an issue has in the release of a parameter.
const EVENTS: &str =
    "coalesce((select f.count from facets k join facet_values v on v.facet_id = k.id and v.value = $
    join issue_facets f on f.issue_id = i.id and f.facet_id = k.id and f.value_id = v.id
    where k.project_id = ?1 and k.name = 'release'), 0)";

/// The issues that a query finds, those with most events in either release first. The first parameters are the
/// project and both versions.
fn issues(c: &Connection, found: &str, given: &[&dyn ToSql]) -> Result<Vec<ComparedIssue>> {
    let (events, base_events) = (EVENTS.replace('$', "?2"), EVENTS.replace('$', "?3"));
    let mut statement = c.prepare_cached(&format!(
        "select i.id, p.slug, i.number, i.title, i.culprit, i.level, i.status, {events} as own, {base_events} as other
         from ({found}) n join issues i on i.id = n.id join projects p on p.id = i.project_id
         order by max(own, other) desc, i.id desc limit {ISSUES_SHOWN}"
    ))?;
    let rows = statement.query_map(given, issue)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn issue(row: &Row<'_>) -> rusqlite::Result<ComparedIssue> {
    let number: i64 = row.get(2)?;
    Ok(ComparedIssue {
        id: IssueId(row.get(0)?),
        short_id: issue_short_id(row.get_ref(1)?.as_str()?, number),
        title: row.get(3)?,
        culprit: row.get(4)?,
        level: Level::parse(row.get_ref(5)?.as_str()?).unwrap_or(Level::Error),
        status: Status::parse(row.get_ref(6)?.as_str()?).unwrap_or(Status::Unresolved),
        events: row.get(7)?,
        base_events: row.get(8)?,
    })
}

/// The issues of `base` that have no event in the release.
fn gone(c: &Connection, project: ProjectId, version: &str, base: &str) -> Result<ComparedIssues> {
    let (Some(old), new) = (sql::value_of(c, project, base)?, sql::value_of(c, project, version)?) else {
        return Ok(ComparedIssues::default());
    };
    let (facet, old) = old;
    let new = new.map_or(-1, |(_, value)| value);
    let total = c
        .prepare_cached(
            "select count(*) from issue_facets o where o.facet_id = ?1 and o.value_id = ?2
                 and not exists (select 1 from issue_facets f
                     where f.issue_id = o.issue_id and f.facet_id = ?1 and f.value_id = ?3)",
        )?
        .query_row(params![facet, old, new], |row| row.get(0))?;
    let issues = issues(c, GONE, &[&project.0, &version, &base, &facet, &old, &new])?;
    Ok(ComparedIssues { issues, total })
}
