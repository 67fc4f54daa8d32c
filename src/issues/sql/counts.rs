//! What the digest adds to an issue: counts, and the names from its newest event.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::TREND_HOURS_MAX;
use rusqlite::Transaction;

/// Adds events to an hour of an issue.
pub fn add_to_hour(tx: &Transaction<'_>, issue: IssueId, hour: i64, count: i64) -> Result<()> {
    tx.prepare_cached(
        "insert into issue_hours (issue_id, hour, count) values (?1, ?2, ?3)
         on conflict do update set count = count + ?3",
    )?
    .execute((issue.0, hour, count))?;
    Ok(())
}

/// Adds events to an hour of an issue in an environment: a value of the facet `environment`.
pub fn add_to_environment_hour(
    tx: &Transaction<'_>,
    issue: IssueId,
    environment: i64,
    hour: i64,
    count: i64,
) -> Result<()> {
    tx.prepare_cached(
        "insert into issue_environment_hours (issue_id, value_id, hour, count) values (?1, ?2, ?3, ?4)
         on conflict do update set count = count + ?4",
    )?
    .execute((issue.0, environment, hour, count))?;
    // No list goes further back.
    tx.prepare_cached(
        "delete from issue_environment_hours where issue_id = ?1 and value_id = ?2 and hour <= ?3",
    )?
    .execute((issue.0, environment, hour - TREND_HOURS_MAX.cast_signed()))?;
    Ok(())
}

/// Notes that events of an environment, a value of the facet `environment`, were seen up to a time in milliseconds.
pub fn see_environment(tx: &Transaction<'_>, environment: i64, last_seen: i64) -> Result<()> {
    tx.prepare_cached(
        "insert into environments (value_id, facet_id, last_seen)
         select id, facet_id, ?2 from facet_values where id = ?1
         on conflict do update set last_seen = ?2 where last_seen < ?2",
    )?
    .execute((environment, last_seen))?;
    Ok(())
}

/// Events of an issue in an hour. A separate query, because SQLite implements `returning` as a trigger, which
/// costs more than the look-up.
pub fn of_hour(tx: &Transaction<'_>, issue: IssueId, hour: i64) -> Result<i64> {
    let mut statement =
        tx.prepare_cached("select count from issue_hours where issue_id = ?1 and hour = ?2")?;
    Ok(statement.query_row((issue.0, hour), |row| row.get(0))?)
}

/// What a batch adds to an issue's counts, and what it sets.
pub struct Sums {
    /// Added.
    pub events: i64,
    pub users: i64,
    pub accounts: i64,
    pub facets: i64,
    /// Milliseconds; set, like all fields after it.
    pub first_seen: i64,
    pub last_seen: i64,
    pub first_release: Option<String>,
    pub last_release: Option<String>,
    pub first_release_at: Option<i64>,
}

/// Adds to the counts of an issue.
pub fn add(tx: &Transaction<'_>, issue: IssueId, sums: &Sums) -> Result<()> {
    tx.prepare_cached(
        "update issues set event_count = event_count + ?2, user_count = user_count + ?3,
             account_count = account_count + ?4, first_seen = ?5, last_seen = ?6, first_release = ?7, last_release = ?8,
             facet_count = facet_count + ?9, first_release_at = ?10
         where id = ?1",
    )?
    .execute((
        issue.0,
        sums.events,
        sums.users,
        sums.accounts,
        sums.first_seen,
        sums.last_seen,
        &sums.first_release,
        &sums.last_release,
        sums.facets,
        sums.first_release_at,
    ))?;
    Ok(())
}

/// The names that an event gives its issue.
pub struct Naming<'a> {
    pub title: &'a str,
    pub culprit: &'a str,
    pub kind: &'a str,
    pub message: &'a str,
    pub level: &'static str,
    pub platform: Option<&'a str>,
    /// The text by which the issue is searched.
    pub search_text: &'a str,
}

/// Names an issue. Returns whether that changes the text by which it is searched.
pub fn name(tx: &Transaction<'_>, project: ProjectId, issue: IssueId, naming: &Naming<'_>) -> Result<bool> {
    tx.prepare_cached(
        "update issues set title = ?2, culprit = ?3, type = ?4, message = ?5, level = ?6,
             platform = coalesce(?7, platform)
         where id = ?1 and (title, culprit, message, level) is not (?2, ?3, ?5, ?6)",
    )?
    .execute((
        issue.0,
        naming.title,
        naming.culprit,
        naming.kind,
        naming.message,
        naming.level,
        naming.platform,
    ))?;
    let changed = tx
        .prepare_cached(
            "insert into issue_texts (project_id, issue_id, text) values (?1, ?2, ?3)
             on conflict do update set text = ?3 where text is not ?3",
        )?
        .execute((project.0, issue.0, naming.search_text.as_bytes()))?;
    Ok(changed > 0)
}
