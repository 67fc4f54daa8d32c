//! What releases have in single environments: events, when they were, their issues and their users.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::TREND_HOURS_MAX;
use crate::releases::ENVIRONMENTS_MAX;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use std::collections::{BTreeMap, BTreeSet};

/// Events of an issue in a release and an environment. Times are in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct IssueEvents {
    pub count: i64,
    pub first: i64,
    pub last: i64,
}

/// What a batch adds to a release in an environment.
#[derive(Debug, Default)]
pub struct Part {
    pub issues: BTreeMap<i64, IssueEvents>,
    /// Events, by the hour in which they happened.
    pub hours: BTreeMap<i64, i64>,
    /// Keys of the users to whom they happened.
    pub users: BTreeSet<i64>,
}

/// Adds to what a release has in an environment. A release that no issue counts has nothing, and one with
/// [`ENVIRONMENTS_MAX`] environments gets no further one.
pub fn count(tx: &Transaction<'_>, release: (ProjectId, &str), environment: &str, part: &Part) -> Result<()> {
    let times = part.issues.values().map(|events| (events.first, events.last));
    let Some(times) = times.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) else {
        return Ok(());
    };
    let Some(id) = find_or_make(tx, release, environment, times)? else { return Ok(()) };
    let events: i64 = part.issues.values().map(|events| events.count).sum();
    let issues = add_issues(tx, id, &part.issues)?;
    add_hours(tx, id, &part.hours)?;
    let users = add_users(tx, id, &part.users)?;
    tx.prepare_cached(
        "update release_environments set event_count = event_count + ?2, issue_count = issue_count + ?3,
             user_count = user_count + ?4, first_event_at = min(first_event_at, ?5),
             last_event_at = max(last_event_at, ?6)
         where id = ?1",
    )?
    .execute((id, events, issues, users, times.0, times.1))?;
    Ok(())
}

/// The id of a release's environment, if it has events there.
pub fn id_of(
    c: &Connection,
    (project, version): (ProjectId, &str),
    environment: &str,
) -> Result<Option<i64>> {
    let mut statement = c.prepare_cached(
        "select e.id from release_counts s
         join release_environments e on e.release_id = s.id and e.environment = ?3
         where s.project_id = ?1 and s.version = ?2",
    )?;
    Ok(statement.query_row(params![project.0, version, environment], |row| row.get(0)).optional()?)
}

fn find_or_make(
    tx: &Transaction<'_>,
    (project, version): (ProjectId, &str),
    environment: &str,
    (first, last): (i64, i64),
) -> Result<Option<i64>> {
    let found = id_of(tx, (project, version), environment)?;
    if found.is_some() {
        return Ok(found);
    }
    let made = tx
        .prepare_cached(
            "insert into release_environments (release_id, environment, event_count, issue_count, first_event_at,
                 last_event_at)
             select s.id, ?3, 0, 0, ?4, ?5 from release_counts s
             where s.project_id = ?1 and s.version = ?2
                 and (select count(*) from release_environments e where e.release_id = s.id) < ?6",
        )?
        .execute(params![project.0, version, environment, first, last, ENVIRONMENTS_MAX])?;
    Ok((made > 0).then(|| tx.last_insert_rowid()))
}

/// Returns how many of the issues are new there.
fn add_issues(tx: &Transaction<'_>, id: i64, issues: &BTreeMap<i64, IssueEvents>) -> Result<i64> {
    let mut add = tx.prepare_cached(
        "update release_environment_issues set count = count + ?3 where environment_id = ?1 and issue_id = ?2",
    )?;
    let mut make = tx.prepare_cached(
        "insert into release_environment_issues (environment_id, issue_id, count) values (?1, ?2, ?3)",
    )?;
    let mut new = 0;
    for (issue, events) in issues {
        if add.execute((id, issue, events.count))? == 0 {
            new += make.execute((id, issue, events.count))?;
        }
    }
    Ok(new as i64)
}

fn add_hours(tx: &Transaction<'_>, id: i64, hours: &BTreeMap<i64, i64>) -> Result<()> {
    let mut add = tx.prepare_cached(
        "insert into release_environment_hours (environment_id, hour, count) values (?1, ?2, ?3)
         on conflict do update set count = count + ?3",
    )?;
    hours.iter().try_for_each(|(hour, count)| add.execute((id, hour, count)).map(drop))?;
    if let Some((last, _)) = hours.last_key_value() {
        // No list goes further back.
        tx.prepare_cached("delete from release_environment_hours where environment_id = ?1 and hour <= ?2")?
            .execute((id, last - TREND_HOURS_MAX.cast_signed()))?;
    }
    Ok(())
}

/// Returns how many of the users are new there.
fn add_users(tx: &Transaction<'_>, id: i64, users: &BTreeSet<i64>) -> Result<i64> {
    let mut add = tx.prepare_cached(
        "insert into release_environment_users (environment_id, user) values (?1, ?2) on conflict do nothing",
    )?;
    let mut new = 0;
    for user in users {
        new += add.execute((id, user))?;
    }
    Ok(new as i64)
}

/// Takes an issue out of what releases have in environments, some of them at once; `false` once it is in none. Of
/// environments that have no other issue, the users and hours go before the issue, at most `limit` of them at once.
pub fn forget_issue(tx: &Transaction<'_>, project: ProjectId, issue: IssueId, limit: i64) -> Result<bool> {
    // Each takes several statements.
    let at_once = (limit / 10).max(1);
    let counted = tx
        .prepare_cached(
            "select p.environment_id, p.count, e.event_count <= p.count
             from issues i join release_environment_issues p on p.issue_id = i.id
             join release_environments e on e.id = p.environment_id
             where i.id = ?2 and i.project_id = ?1 limit ?3",
        )?
        .query_map((project.0, issue.0, at_once), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<Vec<(i64, i64, bool)>>>()?;
    let mut delete = tx.prepare_cached(
        "delete from release_environment_issues where environment_id = ?1 and issue_id = ?2",
    )?;
    let mut subtract = tx.prepare_cached(
        "update release_environments set event_count = event_count - ?2, issue_count = issue_count - 1
         where id = ?1",
    )?;
    let mut left = limit;
    for (environment, count, is_last) in &counted {
        if *is_last {
            left -= empty(tx, *environment, left)?;
            if left <= 0 {
                return Ok(true);
            }
        }
        delete.execute((environment, issue.0))?;
        subtract.execute((environment, count))?;
    }
    Ok(!counted.is_empty())
}

/// Deletes users and hours of an environment, at most `limit` rows at once, and returns how many they were: deleted with the
/// environment, they would be as many as there are.
fn empty(tx: &Transaction<'_>, environment: i64, limit: i64) -> Result<i64> {
    let users = tx
        .prepare_cached(
            "delete from release_environment_users where (environment_id, user) in (
                 select environment_id, user from release_environment_users where environment_id = ?1 limit ?2)",
        )?
        .execute((environment, limit))? as i64;
    if users > 0 {
        // Should another issue happen there meanwhile, they are counted again.
        tx.prepare_cached("update release_environments set user_count = user_count - ?2 where id = ?1")?
            .execute((environment, users))?;
    }
    let hours = tx
        .prepare_cached(
            "delete from release_environment_hours where (environment_id, hour) in (
                 select environment_id, hour from release_environment_hours where environment_id = ?1 limit ?2)",
        )?
        .execute((environment, limit - users))? as i64;
    Ok(users + hours)
}

/// Deletes what a release has in environments, at most `limit` rows at once, and returns how many they were.
pub(super) fn empty_release(tx: &Transaction<'_>, release: i64, limit: i64) -> Result<i64> {
    let environments = tx
        .prepare_cached("select id from release_environments where release_id = ?1")?
        .query_map([release], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut left = limit;
    for environment in environments {
        left -= empty(tx, environment, left)?;
        left -= take_issues(tx, environment, left)?;
        if left <= 0 {
            break;
        }
    }
    Ok(limit - left)
}

/// Takes issues out of an environment, at most `limit` at once, and returns how many they were. It goes with the last.
fn take_issues(tx: &Transaction<'_>, environment: i64, limit: i64) -> Result<i64> {
    let counts = tx
        .prepare_cached(
            "delete from release_environment_issues where (environment_id, issue_id) in (
                 select environment_id, issue_id from release_environment_issues where environment_id = ?1 limit ?2)
             returning count",
        )?
        .query_map((environment, limit), |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let issues = counts.len() as i64;
    tx.prepare_cached(
        "update release_environments set event_count = event_count - ?2, issue_count = issue_count - ?3
         where id = ?1",
    )?
    .execute((environment, counts.iter().sum::<i64>(), issues))?;
    Ok(issues)
}

/// Forgets who the users of a release were in its environments, at most `limit` of them at once, and returns how many it
/// forgot. The numbers stay.
pub fn forget_users(tx: &Transaction<'_>, release: i64, limit: i64) -> Result<i64> {
    let deleted = tx
        .prepare_cached(
            "delete from release_environment_users where (environment_id, user) in (
                 select u.environment_id, u.user from release_environments e
                 join release_environment_users u on u.environment_id = e.id where e.release_id = ?1 limit ?2)",
        )?
        .execute((release, limit))?;
    Ok(deleted as i64)
}

/// Deletes what a project's releases have in environments, at most `limit` rows at once; `false` once only sums are left.
pub fn delete_some(tx: &Transaction<'_>, project: ProjectId, limit: i64) -> Result<bool> {
    const USERS: &str = "delete from release_environment_users where (environment_id, user) in (
        select u.environment_id, u.user from release_counts s
        join release_environments e on e.release_id = s.id
        join release_environment_users u on u.environment_id = e.id where s.project_id = ?1 limit ?2)";
    const ISSUES: &str = "delete from release_environment_issues where (environment_id, issue_id) in (
        select p.environment_id, p.issue_id from release_counts s
        join release_environments e on e.release_id = s.id
        join release_environment_issues p on p.environment_id = e.id where s.project_id = ?1 limit ?2)";
    const HOURS: &str = "delete from release_environment_hours where (environment_id, hour) in (
        select h.environment_id, h.hour from release_counts s
        join release_environments e on e.release_id = s.id
        join release_environment_hours h on h.environment_id = e.id where s.project_id = ?1 limit ?2)";
    for statement in [USERS, ISSUES, HOURS] {
        if tx.execute(statement, (project.0, limit))? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
