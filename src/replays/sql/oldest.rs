//! Removing a project's oldest session replays, for retention.

use super::{DAYS, delete_row};
use crate::error::Result;
use crate::event::replay::FileName;
use crate::ids::ProjectId;
use crate::retention::{Excess, RetentionLimits};
use crate::time::Timestamp;
use crate::usage::DataAmount;
use rusqlite::{Connection, Transaction};

/// What was removed.
#[derive(Debug, Default)]
pub struct RemovedReplays {
    /// Replays.
    pub count: usize,
    /// Their files, which nothing names any more.
    pub files: Vec<FileName>,
}

/// Removes up to `most` of the oldest replays beyond `limits`; removes nothing when the limits are met.
pub fn remove(
    tx: &Transaction<'_>,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
    most: i64,
) -> Result<RemovedReplays> {
    let rows = oldest(tx, project, most)?;
    let excess = Excess::new(limits, DAYS.total(tx, project)?, now);
    let (count, _) = excess.prefix(rows.iter().map(|(_, received_at, held)| (*received_at, *held)));
    let mut files = Vec::new();
    for (row, ..) in &rows[..count] {
        files.extend(delete_row(tx, *row, now)?);
    }
    Ok(RemovedReplays { count, files })
}

fn oldest(c: &Connection, project: ProjectId, most: i64) -> Result<Vec<(i64, Timestamp, DataAmount)>> {
    let mut statement = c.prepare_cached(
        "select id, received_at, bytes from replays where project_id = ?1 and deleted_at is null order by id limit ?2",
    )?;
    let rows = statement.query_map([project.0, most], |row| {
        let held = DataAmount { count: 1, bytes: row.get(2)? };
        Ok((row.get(0)?, Timestamp::from_millis(row.get(1)?), held))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
