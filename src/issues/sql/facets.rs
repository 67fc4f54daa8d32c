//! Facets, as the digest writes them: ids of names and values, and an issue's counts.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::{ALIASES_MAX, FACET_VALUES_MAX};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};

/// How often an issue's events had a value, and when, in milliseconds since the epoch.
#[derive(Debug, Clone, Copy)]
pub struct Sum {
    pub count: i64,
    pub first_seen: i64,
    pub last_seen: i64,
}

/// A name of values.
#[derive(Debug, Clone, Copy)]
pub struct Facet {
    pub id: i64,
    /// The values that the project has of it.
    pub value_count: i64,
}

/// A facet, if there is one.
pub fn facet(c: &Connection, project: ProjectId, name: &str) -> Result<Option<Facet>> {
    let mut statement =
        c.prepare_cached("select id, value_count from facets where project_id = ?1 and name = ?2")?;
    let facet =
        statement.query_row((project.0, name), |row| Ok(Facet { id: row.get(0)?, value_count: row.get(1)? }));
    Ok(facet.optional()?)
}

/// How many tags a project has.
#[derive(Debug, Clone, Copy)]
pub struct Tags {
    pub count: i64,
    /// The values of all of them.
    pub value_count: i64,
}

pub fn tags(c: &Connection, project: ProjectId) -> Result<Tags> {
    let mut statement = c.prepare_cached(
        "select count(*), coalesce(sum(value_count), 0) from facets
         where project_id = ?1 and name glob 'tag.*'",
    )?;
    let read = |row: &Row<'_>| Ok(Tags { count: row.get(0)?, value_count: row.get(1)? });
    Ok(statement.query_row([project.0], read)?)
}

/// The first of a project's tags that have at least so many values, by name.
pub fn full_tags(c: &Connection, project: ProjectId, values: i64, limit: i64) -> Result<Vec<String>> {
    let mut statement = c.prepare_cached(
        "select substr(name, length('tag.') + 1) from facets
         where project_id = ?1 and name glob 'tag.*' and value_count >= ?2 order by name limit ?3",
    )?;
    let rows = statement.query_map((project.0, values, limit), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Creates a facet that does not exist.
pub fn make_facet(tx: &Transaction<'_>, project: ProjectId, name: &str) -> Result<i64> {
    tx.prepare_cached("insert into facets (project_id, name) values (?1, ?2)")?.execute((project.0, name))?;
    Ok(tx.last_insert_rowid())
}

/// The id of a value, if there is one.
pub fn value(c: &Connection, facet: i64, value: &str) -> Result<Option<i64>> {
    let mut statement = c.prepare_cached("select id from facet_values where facet_id = ?1 and value = ?2")?;
    Ok(statement.query_row((facet, value), |row| row.get(0)).optional()?)
}

/// Creates a value that does not exist.
pub fn make_value(tx: &Transaction<'_>, facet: i64, value: &str) -> Result<i64> {
    tx.prepare_cached("insert into facet_values (facet_id, value) values (?1, ?2)")?
        .execute((facet, value))?;
    Ok(tx.last_insert_rowid())
}

/// Adds to an issue's count of a value; `false` if it has none yet.
pub fn count(tx: &Transaction<'_>, issue: IssueId, (facet, value): (i64, i64), sum: Sum) -> Result<bool> {
    let mut update = tx.prepare_cached(
        "update issue_facets
         set count = count + ?4, first_seen = min(first_seen, ?5), last_seen = max(last_seen, ?6)
         where issue_id = ?1 and facet_id = ?2 and value_id = ?3",
    )?;
    Ok(update.execute((issue.0, facet, value, sum.count, sum.first_seen, sum.last_seen))? > 0)
}

/// Adds a value to an issue that does not have it.
pub fn add(tx: &Transaction<'_>, issue: IssueId, (facet, value): (i64, i64), sum: Sum) -> Result<()> {
    tx.prepare_cached(
        "insert into issue_facets (issue_id, facet_id, value_id, count, first_seen, last_seen)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((issue.0, facet, value, sum.count, sum.first_seen, sum.last_seen))?;
    Ok(())
}

/// Whether an issue accepts no more values of a facet.
pub fn is_full(c: &Connection, issue: IssueId, facet: i64) -> Result<bool> {
    let values: i64 = c
        .prepare_cached("select count(*) from issue_facets where issue_id = ?1 and facet_id = ?2")?
        .query_row((issue.0, facet), |row| row.get(0))?;
    Ok(values >= FACET_VALUES_MAX)
}

/// Adds another name to a user or account that has none of those yet.
pub fn add_first_alias(tx: &Transaction<'_>, value: i64, kind: &str, alias: &str) -> Result<()> {
    tx.prepare_cached("insert into facet_aliases (value_id, kind, alias) values (?1, ?2, ?3)")?
        .execute((value, kind, alias))?;
    Ok(())
}

/// Adds another name of a user or account, unless it is already known or there are too many.
pub fn add_alias(tx: &Transaction<'_>, value: i64, kind: &str, alias: &str) -> Result<()> {
    let is_known: bool = tx
        .prepare_cached(
            "select exists (select 1 from facet_aliases where value_id = ?1 and kind = ?2 and alias = ?3)",
        )?
        .query_row((value, kind, alias), |row| row.get(0))?;
    if is_known {
        return Ok(());
    }
    tx.prepare_cached(
        "insert into facet_aliases (value_id, kind, alias) select ?1, ?2, ?3
         where (select count(*) from facet_aliases where value_id = ?1 and kind = ?2) < ?4",
    )?
    .execute((value, kind, alias, ALIASES_MAX))?;
    Ok(())
}
