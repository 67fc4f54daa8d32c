//! All statements on views.

use super::{OWN_MAX, SHARED_MAX, Saved, View};
use crate::error::{Error, Result};
use crate::ids::{ProjectId, UserId, ViewId};
use crate::issues::activity::Actor;
use crate::issues::sort::Sort;
use crate::time::Timestamp;
use rusqlite::{Connection, Row, Transaction, params};

const VIEW: &str = "v.id, v.name, v.query, v.sort, v.shared, v.created_at, u.id, u.email, u.name,
    v.environment, v.period
    from views v left join users u on u.id = v.owner";

fn view(row: &Row<'_>) -> rusqlite::Result<View> {
    let sort: String = row.get(3)?;
    let owner = match row.get::<_, Option<i64>>(6)?.map(UserId) {
        Some(id) => Some(Actor { id, email: row.get(7)?, name: row.get(8)? }),
        None => None,
    };
    Ok(View {
        id: ViewId(row.get(0)?),
        name: row.get(1)?,
        query: row.get(2)?,
        sort: Sort::parse(Some(&sort)).unwrap_or(Sort::LastSeen),
        environment: row.get(9)?,
        period: row.get(10)?,
        shared: row.get(4)?,
        owner,
        created_at: Timestamp::from_millis(row.get(5)?),
        issue_count: None,
    })
}

fn read(c: &Connection, rest: &str, given: impl rusqlite::Params) -> Result<Vec<View>> {
    let mut statement = c.prepare_cached(&format!("select {VIEW} where {rest}"))?;
    let rows = statement.query_map(given, view)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The views of a project that somebody can see: their own, then those that others share, newest first. Keys see the
/// shared ones.
pub(super) fn list(c: &Connection, project: ProjectId, person: Option<UserId>) -> Result<Vec<View>> {
    let person = person.map(|person| person.0);
    let mut all =
        read(c, "v.project_id = ?1 and v.owner = ?2 order by v.id desc", params![project.0, person])?;
    let others = "v.project_id = ?1 and v.shared and v.owner is not ?2 order by v.id desc";
    all.extend(read(c, others, params![project.0, person])?);
    Ok(all)
}

/// A view of a project, if the person can see it.
pub(super) fn get(c: &Connection, project: ProjectId, id: ViewId, person: UserId) -> Result<Option<View>> {
    let seen = "v.project_id = ?1 and v.id = ?2 and (v.shared or v.owner = ?3)";
    Ok(read(c, seen, params![project.0, id.0, person.0])?.pop())
}

/// A view of a project that everybody sees.
pub(super) fn shared(c: &Connection, project: ProjectId, id: ViewId) -> Result<Option<View>> {
    Ok(read(c, "v.project_id = ?1 and v.id = ?2 and v.shared", [project.0, id.0])?.pop())
}

/// # Errors
/// Conflict if the maximum number is reached.
pub(super) fn create(
    tx: &Transaction<'_>,
    project: ProjectId,
    person: UserId,
    new: &Saved,
    now: Timestamp,
) -> Result<ViewId> {
    let own: i64 = tx
        .prepare_cached("select count(*) from views where project_id = ?1 and owner = ?2")?
        .query_row([project.0, person.0], |row| row.get(0))?;
    if own >= OWN_MAX {
        return Err(Error::conflict(format!(
            "You have {OWN_MAX} views in this project, the most: delete one first"
        )));
    }
    if new.shared {
        check_room(tx, project)?;
    }
    tx.prepare_cached(
        "insert into views (project_id, owner, name, query, sort, shared, created_at, environment, period)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        project.0,
        person.0,
        new.name,
        new.query,
        new.sort.as_str(),
        new.shared,
        now.millis(),
        new.environment,
        new.period
    ])?;
    Ok(ViewId(tx.last_insert_rowid()))
}

fn check_room(tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
    let shared: i64 = tx
        .prepare_cached("select count(*) from views where project_id = ?1 and shared")?
        .query_row([project.0], |row| row.get(0))?;
    if shared >= SHARED_MAX {
        return Err(Error::conflict(format!(
            "{SHARED_MAX} views are shared in this project, the most: delete one first"
        )));
    }
    Ok(())
}

/// Replaces the content of a view.
///
/// # Errors
/// Conflict if it becomes shared and the maximum number is reached.
pub(super) fn update(tx: &Transaction<'_>, project: ProjectId, before: &View, new: &Saved) -> Result<()> {
    if new.shared && !before.shared {
        check_room(tx, project)?;
    }
    tx.prepare_cached(
        "update views set name = ?2, query = ?3, sort = ?4, shared = ?5, environment = ?6, period = ?7
         where id = ?1",
    )?
    .execute(params![
        before.id.0,
        new.name,
        new.query,
        new.sort.as_str(),
        new.shared,
        new.environment,
        new.period
    ])?;
    Ok(())
}

pub(super) fn delete(tx: &Transaction<'_>, id: ViewId) -> Result<()> {
    tx.prepare_cached("delete from views where id = ?1")?.execute([id.0])?;
    Ok(())
}
