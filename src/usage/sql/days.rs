//! A project's data of one kind, by the day of receipt. Triggers update the sums, also on deletion.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::usage::{DataAmount, DayAmount};
use rusqlite::{Connection, Transaction};

/// A table with a row for each project and day.
pub struct Days(pub &'static str);

impl Days {
    /// Adds to a day, where no trigger does.
    pub fn add(&self, tx: &Transaction<'_>, project: ProjectId, day: i64, held: DataAmount) -> Result<()> {
        tx.prepare_cached(&format!(
            "insert into {} (project_id, day, count, bytes) values (?1, ?2, ?3, ?4)
             on conflict do update set count = count + ?3, bytes = bytes + ?4",
            self.0
        ))?
        .execute((project.0, day, held.count, held.bytes))?;
        Ok(())
    }

    /// The days that hold something, the oldest first.
    pub fn list(&self, c: &Connection, project: ProjectId) -> Result<Vec<DayAmount>> {
        let mut statement = c.prepare_cached(&format!(
            "select day, count, bytes from {} where project_id = ?1 and count > 0 order by day",
            self.0
        ))?;
        let rows = statement.query_map([project.0], |row| {
            Ok(DayAmount { day: row.get(0)?, held: DataAmount { count: row.get(1)?, bytes: row.get(2)? } })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// All days together.
    pub fn total(&self, c: &Connection, project: ProjectId) -> Result<DataAmount> {
        let mut statement = c.prepare_cached(&format!(
            "select coalesce(sum(count), 0), coalesce(sum(bytes), 0) from {} where project_id = ?1",
            self.0
        ))?;
        Ok(statement
            .query_row([project.0], |row| Ok(DataAmount { count: row.get(0)?, bytes: row.get(1)? }))?)
    }

    /// Deletes days that hold nothing any more.
    pub fn forget_empty(&self, tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
        tx.execute(&format!("delete from {} where project_id = ?1 and count <= 0", self.0), [project.0])?;
        Ok(())
    }
}
