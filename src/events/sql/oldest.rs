//! Removing a project's oldest events, for retention.

use super::DAYS;
use crate::error::Result;
use crate::ids::ProjectId;
use crate::retention::{Excess, RetentionLimits};
use crate::sabotage;
use crate::time::Timestamp;
use crate::usage::DataAmount;
use rusqlite::{Connection, Transaction};
use std::collections::{BTreeMap, BTreeSet};

/// An event that may be removed.
struct Row {
    id: i64,
    issue: i64,
    stack: Option<i64>,
    received_at: Timestamp,
    bytes: i64,
}

/// Removes up to `most` of the oldest events beyond `limits`, and the stacks that no other event has. Issues are
/// unchanged. Returns what was removed, which is nothing once all limits are met.
pub fn remove(
    tx: &Transaction<'_>,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
    most: i64,
) -> Result<DataAmount> {
    let rows = oldest(tx, project, most)?;
    let excess = Excess::new(limits, DAYS.total(tx, project)?, now);
    let (count, removed) =
        excess.prefix(rows.iter().map(|row| (row.received_at, DataAmount { count: 1, bytes: row.bytes })));
    let rows = &rows[..count];
    let mut delete = tx.prepare_cached("delete from events where id = ?1")?;
    rows.iter().try_for_each(|row| delete.execute([row.id]).map(drop))?;
    remove_stacks(tx, rows)?;
    Ok(removed)
}

fn oldest(c: &Connection, project: ProjectId, most: i64) -> Result<Vec<Row>> {
    let mut statement = c.prepare_cached(
        "select id, issue_id, stack_id, received_at, length(payload) from events
         where project_id = ?1 and id > 0 order by id limit ?2",
    )?;
    let rows = statement.query_map([project.0, most], |row| {
        Ok(Row {
            id: row.get(0)?,
            issue: row.get(1)?,
            stack: row.get(2)?,
            received_at: Timestamp::from_millis(row.get(3)?),
            bytes: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The most index entries that are examined in one transaction. A stack for which that is not enough stays until its
/// issue is deleted.
const EXAMINED_MAX: usize = 200_000;

/// Deletes the stacks of removed events that no other event of their issue has.
fn remove_stacks(tx: &Transaction<'_>, removed: &[Row]) -> Result<()> {
    let mut issues: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for row in removed {
        issues.entry(row.issue).or_default().extend(row.stack);
    }
    // The newest first, because they usually have the stacks that are still thrown.
    let mut remaining = tx
        .prepare_cached("select stack_id from events where issue_id = ?1 order by timestamp desc, id desc")?;
    let mut delete = tx.prepare_cached("delete from stacks where id = ?1")?;
    let mut examined = 0;
    for (issue, mut unused) in issues {
        let mut rows = remaining.query([issue])?;
        while !unused.is_empty()
            && let Some(row) = rows.next()?
        {
            if let Some(stack) = row.get::<_, Option<i64>>(0)?
                && !sabotage::on("remove_used_stacks")
            {
                unused.remove(&stack);
            }
            examined += 1;
            if examined >= EXAMINED_MAX {
                unused.clear();
            }
        }
        unused.iter().try_for_each(|stack| delete.execute([stack]).map(drop))?;
    }
    Ok(())
}
