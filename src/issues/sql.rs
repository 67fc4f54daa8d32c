//! All statements on issues except those of the digest's hot path (`digest/apply.rs`).

mod change;
pub mod counts;
pub mod facets;
mod filter;
pub mod fingerprints;
mod list;
mod matching;
mod similar;
mod tags;
mod texts;
mod trend;
pub mod within;

pub use change::change;
pub use filter::{Filter, QUERY_MAX, Sort};
pub use list::{LastFound, list, total};
pub use matching::fits;
pub use similar::similar;
pub use tags::{facet_filter, tags};
pub use trend::{project_trend, trend};

use super::activity::{self, Kind};
use super::{Issue, Priority, ReleaseAge, Reopening, Status, Substatus, TREND_HOURS, is_older};
use crate::accounts::User;
use crate::error::Result;
use crate::event::accepted::Level;
use crate::ids::{IssueId, OrganizationId, ProjectId, UserId};
use crate::projects::issue_short_id;
use crate::releases::sql::{environments, last};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// Rows deleted in one transaction; others write in between.
const DELETE_AT_ONCE: i64 = 5_000;
/// The most environments shown for an issue.
const ENVIRONMENTS_SHOWN: i64 = 20;

const ISSUE: &str = "i.id, i.project_id, i.number, i.title, i.culprit, i.type, i.message, i.level, i.platform,
    i.status, i.regressed_at, i.priority, i.first_seen, i.last_seen, i.event_count, i.user_count, i.account_count,
    i.first_release, i.last_release, i.resolved_in_release, i.ignore_until, i.ignore_events, i.ignore_users,
    i.created_at, u.id, u.email, u.name, u.created_at, p.slug, i.escalating_at, i.high_value_at,
    i.high_value_account";
const JOINS: &str = "join projects p on p.id = i.project_id left join users u on u.id = i.assignee";

pub fn get(c: &Connection, project: ProjectId, id: IssueId, now: Timestamp) -> Result<Option<Issue>> {
    let query = format!("select {ISSUE} from issues i {JOINS} where i.project_id = ?1 and i.id = ?2");
    let found =
        c.prepare_cached(&query)?.query_row(params![project.0, id.0], |row| issue(row, now)).optional()?;
    let Some(mut found) = found else { return Ok(None) };
    fill(c, &mut found, now)?;
    Ok(Some(found))
}

/// Adds the trend and the environments, from their own tables.
fn fill(c: &Connection, issue: &mut Issue, now: Timestamp) -> Result<()> {
    issue.trend = trend(c, issue.id, TREND_HOURS, now)?.counts;
    let mut statement = c.prepare_cached(
        "select v.value from facets k join issue_facets f on f.issue_id = ?2 and f.facet_id = k.id
         join facet_values v on v.id = f.value_id
         where k.project_id = ?1 and k.name = 'environment' order by f.count desc limit ?3",
    )?;
    let given = params![issue.project_id.0, issue.id.0, ENVIRONMENTS_SHOWN];
    let rows = statement.query_map(given, |row| row.get(0))?;
    issue.environments = rows.collect::<rusqlite::Result<_>>()?;
    Ok(())
}

fn issue(row: &Row<'_>, now: Timestamp) -> rusqlite::Result<Issue> {
    let level = Level::parse(row.get_ref(7)?.as_str()?).unwrap_or(Level::Error);
    let status = Status::parse(row.get_ref(9)?.as_str()?).unwrap_or(Status::Unresolved);
    let priority: Option<String> = row.get(11)?;
    let first_seen = time(row, 12)?;
    let number: i64 = row.get(2)?;
    Ok(Issue {
        id: IssueId(row.get(0)?),
        project_id: ProjectId(row.get(1)?),
        short_id: issue_short_id(row.get_ref(28)?.as_str()?, number),
        title: row.get(3)?,
        culprit: row.get(4)?,
        kind: row.get(5)?,
        message: row.get(6)?,
        level,
        platform: row.get(8)?,
        status,
        substatus: Substatus::of(status, first_seen, optional_time(row, 10)?, optional_time(row, 29)?, now),
        priority: priority.as_deref().and_then(Priority::parse).unwrap_or_else(|| Priority::of(level)),
        assignee: assignee(row)?,
        first_seen,
        last_seen: time(row, 13)?,
        event_count: row.get(14)?,
        user_count: row.get(15)?,
        account_count: row.get(16)?,
        first_release: row.get(17)?,
        last_release: row.get(18)?,
        environments: Vec::new(),
        trend: Vec::new(),
        resolved_in_release: row.get(19)?,
        ignore_until: optional_time(row, 20)?,
        ignore_events: row.get(21)?,
        ignore_users: row.get(22)?,
        high_value_at: optional_time(row, 30)?,
        high_value_account: row.get(31)?,
        within: None,
        created_at: time(row, 23)?,
    })
}

fn assignee(row: &Row<'_>) -> rusqlite::Result<Option<User>> {
    let Some(id) = row.get::<_, Option<i64>>(24)?.map(UserId) else { return Ok(None) };
    Ok(Some(User { id, email: row.get(25)?, name: row.get(26)?, created_at: time(row, 27)? }))
}

fn time(row: &Row<'_>, index: usize) -> rusqlite::Result<Timestamp> {
    row.get(index).map(Timestamp::from_millis)
}

fn optional_time(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis))
}

/// Marks an issue that a high-value account has met, and adds the activity entry, once.
pub fn mark_high_value(tx: &Transaction<'_>, id: IssueId, account: &str, now: Timestamp) -> Result<()> {
    let marked = tx
        .prepare_cached(
            "update issues set high_value_at = ?2, high_value_account = ?3 where id = ?1 and high_value_at is null",
        )?
        .execute(params![id.0, now.millis(), account])?;
    if marked == 0 {
        return Ok(());
    }
    let data = serde_json::json!({ "account": account });
    activity::sql::add(tx, id, &activity::New { data, ..activity::New::automatic(Kind::HighValue) }, now)
}

/// The organization and project of an issue, unless the project is being deleted.
pub fn home(c: &Connection, id: IssueId) -> Result<Option<(OrganizationId, ProjectId)>> {
    let mut statement = c.prepare_cached(
        "select p.organization_id, p.id from issues i join projects p on p.id = i.project_id
         where i.id = ?1 and p.deleted_at is null",
    )?;
    let row = |row: &Row<'_>| Ok((OrganizationId(row.get(0)?), ProjectId(row.get(1)?)));
    Ok(statement.query_row([id.0], row).optional()?)
}

/// Whether a project has an issue.
pub fn exists(c: &Connection, project: ProjectId, id: IssueId) -> Result<bool> {
    let mut statement =
        c.prepare_cached("select exists (select 1 from issues where project_id = ?1 and id = ?2)")?;
    Ok(statement.query_row(params![project.0, id.0], |row| row.get(0))?)
}

/// Deletes some of an issue's events, then some of their facets; `false` if none are left. Releases stay:
/// [`delete`] subtracts them from the project's sums.
pub fn delete_some(tx: &Transaction<'_>, project: ProjectId, id: IssueId) -> Result<bool> {
    let events = tx.execute(
        "delete from events where id in (
             select e.id from events e join issues i on i.id = e.issue_id
             where e.issue_id = ?2 and i.project_id = ?1 limit ?3)",
        params![project.0, id.0, DELETE_AT_ONCE],
    )?;
    if events > 0 {
        return Ok(true);
    }
    let facets = tx.execute(
        "delete from issue_facets where (issue_id, facet_id, value_id) in (
             select f.issue_id, f.facet_id, f.value_id from issues i join issue_facets f on f.issue_id = i.id
             where i.id = ?2 and i.project_id = ?1
                 and f.facet_id is not (select id from facets where project_id = ?1 and name = 'release') limit ?3)",
        params![project.0, id.0, DELETE_AT_ONCE],
    )?;
    if facets > 0 {
        return Ok(true);
    }
    if environments::forget_issue(tx, project, id, DELETE_AT_ONCE)?
        || last::forget_issue(tx, project, id, DELETE_AT_ONCE)?
    {
        return Ok(true);
    }
    let hours = tx.execute(
        "delete from issue_environment_hours where (issue_id, value_id, hour) in (
             select h.issue_id, h.value_id, h.hour from issues i join issue_environment_hours h on h.issue_id = i.id
             where i.id = ?2 and i.project_id = ?1 limit ?3)",
        params![project.0, id.0, DELETE_AT_ONCE],
    )?;
    Ok(hours > 0)
}

/// Deletes an issue with what is left of it; `false` if the project has no issue with that id.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, id: IssueId) -> Result<bool> {
    while environments::forget_issue(tx, project, id, DELETE_AT_ONCE)? {}
    tx.execute(
        "update release_counts as r set event_count = r.event_count - f.count, issue_count = r.issue_count - 1
         from issues i join facets k on k.project_id = i.project_id and k.name = 'release'
         join issue_facets f on f.issue_id = i.id and f.facet_id = k.id
         join facet_values v on v.id = f.value_id
         where i.id = ?2 and i.project_id = ?1 and r.project_id = ?1 and r.version = v.value",
        params![project.0, id.0],
    )?;
    Ok(tx.execute("delete from issues where project_id = ?1 and id = ?2", params![project.0, id.0])? == 1)
}

/// What an event of `release` does to an issue that is resolved or ignored.
pub fn reopening(
    c: &Connection,
    project: ProjectId,
    id: IssueId,
    release: Option<&str>,
    received: Timestamp,
) -> Result<Reopening> {
    let state = c
        .prepare_cached(
            "select status, resolved_at, resolved_in_release, ignore_until, ignore_events, ignore_users,
                 event_count, user_count from issues where id = ?1",
        )?
        .query_row([id.0], State::read)?;
    if state.status == Status::Resolved.as_str() {
        if received.millis() < state.resolved_at {
            // The event was accepted before somebody resolved the issue, and digested afterwards.
            return Ok(Reopening::Stays);
        }
        let old = state.is_from_before_the_fix(c, project, id, release)?;
        return Ok(if old { Reopening::Stays } else { Reopening::Regressed });
    }
    Ok(if state.ignoring_ends(received) { Reopening::NoLongerIgnored } else { Reopening::Stays })
}

/// How an issue was resolved or ignored.
struct State {
    status: String,
    resolved_at: i64,
    resolved_in_release: Option<String>,
    ignore_until: Option<i64>,
    ignore_events: Option<i64>,
    ignore_users: Option<i64>,
    event_count: i64,
    user_count: i64,
}

impl State {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            status: row.get(0)?,
            resolved_at: row.get::<_, Option<i64>>(1)?.unwrap_or(0),
            resolved_in_release: row.get(2)?,
            ignore_until: row.get(3)?,
            ignore_events: row.get(4)?,
            ignore_users: row.get(5)?,
            event_count: row.get(6)?,
            user_count: row.get(7)?,
        })
    }

    fn ignoring_ends(&self, received: Timestamp) -> bool {
        self.ignore_until.is_some_and(|until| received.millis() >= until)
            || self.ignore_events.is_some_and(|count| self.event_count >= count)
            || self.ignore_users.is_some_and(|count| self.user_count >= count)
    }

    fn is_from_before_the_fix(
        &self,
        c: &Connection,
        project: ProjectId,
        id: IssueId,
        release: Option<&str>,
    ) -> Result<bool> {
        let (Some(fixed), Some(release)) = (self.resolved_in_release.as_deref(), release) else {
            return Ok(false);
        };
        let made = made_at(c, project, release)?;
        if fixed != "next" {
            let fixed = ReleaseAge { version: fixed, created_at: made_at(c, project, fixed)? };
            return Ok(is_older(ReleaseAge { version: release, created_at: made }, fixed));
        }
        // `next`: every release that existed when the issue was resolved is older.
        if let Some(made) = made {
            return Ok(made.millis() <= self.resolved_at);
        }
        let seen: Option<i64> = c
            .prepare_cached(
                "select f.first_seen from facets k join facet_values v on v.facet_id = k.id and v.value = ?3
                 join issue_facets f on f.issue_id = ?2 and f.facet_id = k.id and f.value_id = v.id
                 where k.project_id = ?1 and k.name = 'release'",
            )?
            .query_row(params![project.0, id.0, release], |row| row.get(0))
            .optional()?;
        Ok(seen.is_some_and(|seen| seen <= self.resolved_at))
    }
}

fn made_at(c: &Connection, project: ProjectId, version: &str) -> Result<Option<Timestamp>> {
    let mut statement =
        c.prepare_cached("select created_at from releases where project_id = ?1 and version = ?2")?;
    let found = statement.query_row(params![project.0, version], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.map(Timestamp::from_millis))
}

/// Whether an issue is ignored until a time that has come.
pub fn is_any_due(c: &Connection, now: Timestamp) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from issues where ignore_until <= ?1 and status = 'ignored')",
    )?;
    Ok(statement.query_row([now.millis()], |row| row.get(0))?)
}

/// Reopens ignored issues whose time has come, at most `limit` of them; returns their projects.
pub fn wake(tx: &Transaction<'_>, limit: i64, now: Timestamp) -> Result<Vec<(ProjectId, IssueId)>> {
    let mut statement = tx.prepare_cached(
        "select project_id, id from issues where status = 'ignored' and ignore_until <= ?1 limit ?2",
    )?;
    let rows = statement
        .query_map(params![now.millis(), limit], |row| Ok((ProjectId(row.get(0)?), IssueId(row.get(1)?))))?;
    let awake: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
    for (_, id) in &awake {
        reopen(tx, *id, None)?;
        activity::sql::add(tx, *id, &activity::New::automatic(Kind::Unignored), now)?;
    }
    Ok(awake)
}

/// Reopens an issue, as regressed if `regressed_at` is given.
pub fn reopen(tx: &Transaction<'_>, id: IssueId, regressed_at: Option<Timestamp>) -> Result<()> {
    tx.prepare_cached(
        "update issues set status = 'unresolved', regressed_at = ?2, resolved_at = null, resolved_in_release = null,
             ignore_until = null, ignore_events = null, ignore_users = null
         where id = ?1",
    )?
    .execute(params![id.0, regressed_at.map(Timestamp::millis)])?;
    Ok(())
}
