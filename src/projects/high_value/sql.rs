//! All statements on high-value accounts: a project's settings, and its busiest accounts.

use super::{ACCOUNTS_MIN, BUSIEST, BUSIEST_DAYS, Rules};
use crate::error::Result;
use crate::ids::ProjectId;
use crate::projects::Settings;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// A project's current rules. Settings of a newer Mayday that are unknown here are ignored.
pub fn rules(c: &Connection, project: ProjectId) -> Result<Rules> {
    let settings: Option<String> = c
        .prepare_cached("select settings from projects where id = ?1")?
        .query_row([project.0], |row| row.get(0))
        .optional()?;
    let settings: Settings = settings.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut statement = c.prepare_cached("select account from busiest_accounts where project_id = ?1")?;
    let busiest = statement.query_map([project.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(Rules::new(settings.high_value, busiest))
}

/// Adds events of an account on a day.
pub fn add_to_day(
    tx: &Transaction<'_>,
    project: ProjectId,
    (account, day): (&str, i64),
    count: i64,
) -> Result<()> {
    tx.prepare_cached(
        "insert into account_days (project_id, account, day, count) values (?1, ?2, ?3, ?4)
         on conflict do update set count = count + ?4",
    )?
    .execute(params![project.0, account, day, count])?;
    Ok(())
}

/// The projects whose events name accounts.
pub fn projects(c: &Connection) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select id from projects where deleted_at is null
             and exists (select 1 from account_days where project_id = projects.id) order by id",
    )?;
    let rows = statement.query_map((), |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A project's accounts with most events in the last days; none if it has too few accounts.
pub fn find_busiest(c: &Connection, project: ProjectId, now: Timestamp) -> Result<Vec<String>> {
    let mut statement = c.prepare_cached(
        "select account, sum(count) from account_days where project_id = ?1 and day > ?2 group by account",
    )?;
    let rows = statement.query_map(params![project.0, now.day() - BUSIEST_DAYS], |row| {
        Ok((row.get::<_, i64>(1)?, row.get::<_, String>(0)?))
    })?;
    let mut accounts: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
    if accounts.len() < ACCOUNTS_MIN {
        return Ok(Vec::new());
    }
    // The id breaks ties, so that the next run finds the same.
    accounts.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(accounts.into_iter().take(BUSIEST).map(|(_, account)| account).collect())
}

/// Replaces a project's busiest accounts, and deletes days that no longer count.
pub fn store_busiest(
    tx: &Transaction<'_>,
    project: ProjectId,
    accounts: &[String],
    now: Timestamp,
) -> Result<()> {
    let accounts = serde_json::json!(accounts).to_string();
    tx.execute(
        "delete from busiest_accounts where project_id = ?1 and account not in (select value from json_each(?2))",
        params![project.0, accounts],
    )?;
    tx.execute(
        "insert into busiest_accounts (project_id, account)
         select p.id, value from json_each(?2) join projects p on p.id = ?1 where true on conflict do nothing",
        params![project.0, accounts],
    )?;
    tx.execute(
        "delete from account_days where project_id = ?1 and day <= ?2",
        params![project.0, now.day() - BUSIEST_DAYS],
    )?;
    Ok(())
}
