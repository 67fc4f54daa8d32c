//! Removing a project's oldest batches, for retention.
//!
//! First it is recorded up to which batch a project's entries are removed ([`mark`]); then the batches are deleted in
//! pieces, and their entries from the index. Whatever a crash cuts off is finished from that record.

use super::DAYS;
use crate::error::Result;
use crate::ids::ProjectId;
use crate::retention::{Excess, RetentionLimits};
use crate::time::Timestamp;
use crate::usage::DataAmount;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

/// Batches examined by one statement.
const EXAMINED: usize = 2_000;
/// Batches that one [`Cut`] removes: the index then deletes their entries at once.
const CUT_MAX: usize = 20_000;

/// The batches to be removed: those of a project up to an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    pub last: i64,
    pub held: DataAmount,
}

/// The oldest batches that are beyond the limits, at most [`CUT_MAX`]; `None` if all are within.
pub fn find(
    c: &Connection,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
) -> Result<Option<Cut>> {
    let mut statement = c.prepare_cached(
        "select id, received_at, count, length(entries) from batches
         where project_id = ?1 and id > ?2 order by id limit ?3",
    )?;
    let (mut held, mut from, mut cut) = (DAYS.total(c, project)?, removed(c, project)?, None);
    for _ in 0..CUT_MAX / EXAMINED {
        let rows = statement.query_map((project.0, from, EXAMINED as i64), |row| {
            let size = DataAmount { count: row.get(2)?, bytes: row.get(3)? };
            Ok((row.get::<_, i64>(0)?, Timestamp::from_millis(row.get(1)?), size))
        })?;
        let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
        let excess = Excess::new(limits, held, now);
        let (count, found) = excess.prefix(rows.iter().map(|(_, at, size)| (*at, *size)));
        let Some((last, ..)) = count.checked_sub(1).and_then(|last| rows.get(last)) else { break };
        held.subtract(found);
        let before = cut.map_or(DataAmount::default(), |cut: Cut| cut.held);
        cut = Some(Cut { last: *last, held: before.plus(found) });
        from = *last;
        if count < EXAMINED {
            break;
        }
    }
    Ok(cut)
}

/// Records that the batches up to `last` are removed.
pub fn mark(tx: &Transaction<'_>, project: ProjectId, last: i64) -> Result<()> {
    tx.execute(
        "insert into retained (project_id, removed, indexed) values (?1, ?2, 1)
         on conflict do update set removed = max(removed, ?2), indexed = 1",
        [project.0, last],
    )?;
    Ok(())
}

/// The last batch that retention has removed; 0 if it has removed none.
pub fn removed(c: &Connection, project: ProjectId) -> Result<i64> {
    let mut statement = c.prepare_cached("select removed from retained where project_id = ?1")?;
    Ok(statement.query_row([project.0], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Whether the index may still have entries of removed batches.
pub fn is_indexed(c: &Connection, project: ProjectId) -> Result<bool> {
    let query = "select exists (select 1 from retained where project_id = ?1 and indexed)";
    Ok(c.prepare_cached(query)?.query_row([project.0], |row| row.get(0))?)
}

/// Whether there are still batches that are recorded as removed.
pub fn has_removed(c: &Connection, project: ProjectId) -> Result<bool> {
    let query = "select exists (select 1 from batches where project_id = ?1 and id <= ?2)";
    Ok(c.prepare_cached(query)?.query_row([project.0, removed(c, project)?], |row| row.get(0))?)
}

/// Deletes some of the batches that are recorded as removed.
pub fn delete_some(tx: &Transaction<'_>, project: ProjectId, most: i64) -> Result<()> {
    let last = removed(tx, project)?;
    tx.execute(
        "delete from batches where id in
             (select id from batches where project_id = ?1 and id <= ?2 order by id limit ?3)",
        [project.0, last, most],
    )?;
    Ok(())
}

/// Projects of whose removed batches the index may still have entries, with the last of those batches.
pub fn to_be_unindexed(c: &Connection) -> Result<Vec<(ProjectId, i64)>> {
    let mut statement = c.prepare_cached("select project_id, removed from retained where indexed")?;
    let rows = statement.query_map((), |row| Ok((ProjectId(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Records that the index has no more entries of these batches.
pub fn unindexed(tx: &Transaction<'_>, projects: &[(ProjectId, i64)]) -> Result<()> {
    let mut statement =
        tx.prepare_cached("update retained set indexed = 0 where project_id = ?1 and removed = ?2")?;
    projects.iter().try_for_each(|(project, last)| statement.execute([project.0, *last]).map(drop))?;
    Ok(())
}

/// Resets that record for a new index.
pub fn all_indexed(tx: &Transaction<'_>) -> Result<()> {
    tx.execute("update retained set indexed = 1 where not indexed", ())?;
    Ok(())
}

/// Forgets what was recorded of a deleted project.
pub fn forget(tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
    tx.execute("delete from retained where project_id = ?1", [project.0])?;
    tx.execute("delete from entry_days where project_id = ?1", [project.0])?;
    Ok(())
}
