//! A consistent copy of the data directory, made while the server runs; backups are made of it.
//!
//! A server that is started on the copy has everything that was acknowledged before the snapshot began, exactly once. The
//! order guarantees that:
//!
//! 1. **The journal before `main.db`.** What is digested in between is in both copies, and the position in `main.db`
//!    tells. In the opposite order it would be in neither: digested after `main.db` was copied, and given up before the
//!    journal was.
//! 2. **`logs.db` before `main.db`.** Deleting a project closes it in the logs first. So the copy has a project whose logs
//!    are closed only where its deletion was under way when `main.db` was copied.
//! 3. **Source maps and replays after `main.db`**, which names them. A file that is removed in between is put into the copy first
//!    ([`super::Blobs::bequeath`]).
//!
//! Databases are copied by `VACUUM INTO`. It is one read transaction, while the stepped backup API starts over whenever
//! somebody else writes; it reads every row, so damage is an error instead of being copied; and it leaves out free pages.
//! The WAL grows while it runs.
//!
//! The index of the logs is left out: it is rebuilt from `logs.db` in the background (about 90,000 entries a second)
//! while intake goes on. That way exists anyway, for an index that is damaged or of another format. Copying the index
//! would mean pausing its merges.
//!
//! Secrets (`secrets.env`) are left to the caller. So is making the copy appear all at once: copy into a temporary
//! directory and rename it.

mod room;

pub use room::{check_room, copied, expected};

use super::copy::copy_database;
use super::instance::mark;
use super::journal::Journal;
use super::stop::Stop;
use super::{Blobs, Readers};
use crate::error::{Error, Result};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// SQLite's virtual machine steps between two checks of [`Stop`]: about a millisecond.
const STEPS: i32 = 10_000;

/// What a snapshot is taken of.
pub struct Sources<'a> {
    /// The id of the instance.
    pub instance: &'a str,
    pub main: &'a Readers,
    pub logs: &'a Readers,
    pub journal: &'a Journal,
    pub maps: &'a Blobs,
    pub replays: &'a Blobs,
}

/// What a snapshot contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// Every journal record up to this position is in it, digested or not.
    pub last: i64,
}

impl Sources<'_> {
    /// Copies everything into a directory that is empty or does not exist; the copy is on disk when this returns. Blocks
    /// while both databases are read and written. After an error the caller discards the directory.
    ///
    /// # Errors
    /// If the directory is not empty, something cannot be read or written, another copy is being made, or `stop` was
    /// asked.
    pub fn copy_to(&self, into: &Path, stop: &Stop) -> Result<Snapshot> {
        make_empty(into)?;
        let last = self.copy_journal(into)?;
        stop.check()?;
        self.copy_databases(into, stop)?;
        File::open(into).and_then(|folder| folder.sync_all()).map_err(Error::storage)?;
        Ok(Snapshot { last })
    }

    /// The first step.
    pub(crate) fn copy_journal(&self, into: &Path) -> Result<i64> {
        let folder = into.join("intake");
        let last = self.journal.copy_to(&folder)?;
        mark(&folder, self.instance)?;
        Ok(last)
    }

    /// The second step: both databases, and the files that `main.db` names.
    pub(crate) fn copy_databases(&self, into: &Path, stop: &Stop) -> Result<()> {
        copy_of(self.logs, &into.join("logs.db"), stop)?;
        let maps = into.join("sourcemaps");
        let replays = into.join("replays");
        let (removed_maps, removed_replays) = (self.maps.bequeath(&maps)?, self.replays.bequeath(&replays)?);
        copy_of(self.main, &into.join("main.db"), stop)?;
        removed_maps.copy(stop)?;
        removed_replays.copy(stop)?;
        mark(&maps, self.instance)?;
        mark(&replays, self.instance)
    }
}

fn make_empty(into: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(into).map_err(Error::storage)?;
    let mut entries = fs::read_dir(into).map_err(Error::storage)?;
    if entries.next().is_some() {
        return Err(Error::internal(format!("{} is not empty: choose another directory", into.display())));
    }
    Ok(())
}

fn copy_of(readers: &Readers, to: &Path, stop: &Stop) -> Result<()> {
    stop.check()?;
    let connection = readers.dedicated()?;
    // Its own file is opened read-only in any case; `query_only` would also forbid writing the new file.
    connection.pragma_update(None, "query_only", false)?;
    let asked = stop.clone();
    connection.progress_handler(STEPS, Some(move || asked.is_asked()))?;
    let copied = copy_database(&connection, to);
    stop.check()?;
    readers.judge(copied)
}

#[cfg(test)]
mod tests;
