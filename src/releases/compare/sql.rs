//! The figures by which two releases are compared.

mod within;

use super::{ComparedIssue, ComparedIssues, ComparedRelease, Comparison, ISSUES_SHOWN, Period};
use crate::error::Result;
use crate::event::accepted::Level;
use crate::ids::{IssueId, ProjectId};
use crate::issues::{Status, TREND_HOURS_MAX};
use crate::projects::issue_short_id;
use crate::releases::order::before;
use crate::releases::{ReleaseHealth, sql};
use crate::time::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};

/// The versions of a release and of the one that it is compared with.
type Sides<'a> = (&'a str, Option<&'a str>);

/// The previous release with events, in an environment or in any. For a release that was created, another created one
/// is preferred, because anybody can name a release in an event.
pub fn previous(
    c: &Connection,
    release: &ReleaseHealth,
    environment: Option<&str>,
) -> Result<Option<String>> {
    let came = release.created_at.or(release.figures.first_event_at).map_or(i64::MAX, Timestamp::millis);
    let of = |created| -> Result<Option<String>> {
        let all = sql::with_events(c, release.project_id, created, environment)?;
        Ok(before(&release.version, came, &all).map(str::to_owned))
    };
    match release.id.map(|_| of(true)).transpose()?.flatten() {
        Some(created) => Ok(Some(created)),
        None => of(false),
    }
}

/// Compares a release with `base`, by what both have in an environment or in all.
pub fn compare(
    c: &Connection,
    environment: Option<&str>,
    release: ReleaseHealth,
    base: Option<ReleaseHealth>,
    now: Timestamp,
) -> Result<Comparison> {
    let period = out_at(c, &release, environment)?.map(|out| Period::since(out, now));
    let sides = (release.version.as_str(), base.as_ref().map(|base| base.version.as_str()));
    let [new_issues, regressions, gone] = match environment {
        Some(environment) => within::lists(c, release.project_id, environment, sides)?,
        None => lists(c, &release, sides)?,
    };
    let compared = |health, period| compared(c, environment, health, period, now);
    Ok(Comparison {
        new_issues,
        regressions,
        gone,
        release: compared(release, period)?,
        base: base.map(|base| compared(base, period.map(Period::before))).transpose()?,
    })
}

fn compared(
    c: &Connection,
    environment: Option<&str>,
    health: ReleaseHealth,
    period: Option<Period>,
    now: Timestamp,
) -> Result<ComparedRelease> {
    let out_at = out_at(c, &health, environment)?;
    let compared_events = match period {
        Some(period) if environment.is_some() && !is_kept(&health, period) => None,
        Some(period) => Some(events_within(c, &health, environment, period)?),
        None => Some(0),
    };
    let an_hour = |events: i64| period.map_or(0.0, |period| events as f64 / period.hours);
    let (events, users) = (health.figures.event_count, health.figures.user_count);
    Ok(ComparedRelease {
        out_at,
        from: period.map(Period::from),
        to: period.map(|period| period.to(now)),
        compared_events,
        events_per_hour: compared_events.map(an_hour),
        events_per_user: (users > 0).then(|| events as f64 / users as f64),
        health,
    })
}

/// When a release came out, in an environment or anywhere: its first deploy or its first event.
fn out_at(c: &Connection, health: &ReleaseHealth, environment: Option<&str>) -> Result<Option<Timestamp>> {
    let deployed: Option<i64> = c
        .prepare_cached(
            "select min(coalesce(started_at, finished_at)) from deploys
             where release_id = ?1 and (?2 is null or environment = ?2)",
        )?
        .query_row(params![health.id.map(|id| id.0), environment], |row| row.get(0))?;
    let deployed = deployed.map(Timestamp::from_millis);
    Ok([deployed, health.figures.first_event_at].into_iter().flatten().min())
}

/// Whether all hours of a period are there in which a release has events in an environment: those long before the last
/// one are deleted, and there never were any before the first one.
fn is_kept(health: &ReleaseHealth, period: Period) -> bool {
    let (first, last) = (health.figures.first_event_at, health.figures.last_event_at);
    let Some((first, last)) = first.zip(last) else { return true };
    let kept_after = last.hour() - TREND_HOURS_MAX.cast_signed();
    period.last < first.hour() || period.first.max(first.hour()) > kept_after
}

fn events_within(
    c: &Connection,
    release: &ReleaseHealth,
    environment: Option<&str>,
    period: Period,
) -> Result<i64> {
    let named = (release.project_id, release.version.as_str());
    Ok(sql::hours_of(c, named, environment, (period.first, period.last))?.iter().sum())
}

/// New issues, regressions and issues that are gone, in all environments.
fn lists(c: &Connection, release: &ReleaseHealth, (version, base): Sides<'_>) -> Result<[ComparedIssues; 3]> {
    let project = release.project_id;
    let both: [&dyn ToSql; 3] = [&project.0, &version, &base];
    let list = |found, total| -> Result<_> {
        Ok(ComparedIssues { issues: gathered(c, found, &events(), &both)?, total })
    };
    let gone = base.map_or_else(|| Ok(ComparedIssues::default()), |base| gone(c, project, version, base));
    let figures = &release.figures;
    Ok([list(NEW, figures.new_issue_count)?, list(REGRESSED, figures.regression_count)?, gone?])
}

/// Issues first seen in a release; those that regressed in it; and those of the other that it has no event of. The
/// newest 1,000 of each are looked at. Parameters: the project and both versions; then the facet `release`, and its
/// values of the other and of the release.
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

/// The number of an issue's events in the release, and in the other.
fn events() -> [String; 2] {
    ["?2", "?3"].map(|version| EVENTS.replace('$', version))
}

/// The issues that a query finds, those with most events in either release first.
fn gathered(
    c: &Connection,
    found: &str,
    [events, base_events]: &[String; 2],
    given: &[&dyn ToSql],
) -> Result<Vec<ComparedIssue>> {
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
    let issues = gathered(c, GONE, &events(), &[&project.0, &version, &base, &facet, &old, &new])?;
    Ok(ComparedIssues { issues, total })
}
