//! Pages of deleted rows, which are given back to the file system.

use super::Database;
use crate::error::Result;
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// Pages given back in one transaction: 4 MiB.
const AT_ONCE: i64 = 1_000;
/// How many times as long as such a transaction took others may write.
const REST: u32 = 3;
/// The time limit of one call.
const RUN: Duration = Duration::from_secs(45);

impl Database {
    /// Gives pages of deleted rows back to the file system, in pieces and for a while. Then the file is cut, too: without
    /// a checkpoint, that would wait for the next 40 MiB of writes.
    ///
    /// # Errors
    /// Storage trouble; the rest is given back by the next call.
    pub async fn give_back(&self) -> Result<()> {
        let begun = Instant::now();
        let mut given = false;
        while begun.elapsed() < RUN && self.read(count).await? > 0 {
            let start = Instant::now();
            self.write(|tx| Ok(release(tx, AT_ONCE)?)).await?;
            given = true;
            tokio::time::sleep(start.elapsed() * REST).await;
        }
        if given {
            self.writer.checkpoint();
        }
        Ok(())
    }
}

/// Pages that are free.
pub(super) fn count(c: &Connection) -> Result<i64> {
    Ok(c.query_row("pragma freelist_count", (), |row| row.get(0))?)
}

/// Releases up to `most` free pages.
pub(super) fn release(c: &Connection, most: i64) -> rusqlite::Result<()> {
    let mut statement = c.prepare(&format!("pragma incremental_vacuum({})", most.min(i32::MAX.into())))?;
    // Each step releases one page.
    let mut rows = statement.raw_query();
    while rows.next()?.is_some() {}
    Ok(())
}
