//! The data directory: SQLite, files by content, and the free space for both.
//!
//! Each database has one writer thread with the only writing connection ([`Writer`]), which commits
//! in groups and answers after the commit, and a pool of read-only connections ([`Readers`]) whose
//! queries end after [`QUERY_DEADLINE`]. No transaction spans two files.

mod blobs;
mod commit;
mod compress;
mod connection;
mod copy;
mod damage;
mod data_dir;
pub mod dictionaries;
mod disk;
pub mod examine;
pub mod files;
mod free_pages;
pub mod instance;
pub mod journal;
mod key_check;
mod packing;
#[cfg(test)]
pub(crate) mod plans;
mod queue;
mod readers;
mod replacement;
mod schema;
pub mod snapshot;
mod stop;
mod training;
mod upgrade;
mod uuids;

pub use blobs::{Blobs, Content, Inheritance};
pub use commit::{Fatal, Job, Writer};
pub use compress::{compress, decompress};
pub use connection::check_sqlite_version;
pub use data_dir::{DataDir, Watch};
pub use disk::{Disk, LOOK as DISK_LOOK};
pub use key_check::check_key;
pub use packing::{Dictionary, Packer, unpack};
pub use queue::Depth;
pub use readers::{QUERY_DEADLINE, Readers};
pub use replacement::{FormerData, SNAPSHOT, former, has_instance, is_replacing, is_reserved};
pub use rusqlite::{Connection, OptionalExtension, Transaction};
pub use schema::{LOGS, MAIN, check_current, logs_schema, main_schema, open};
pub use stop::Stop;
pub use training::{Trainer, train};
pub use upgrade::{Upgrade, upgrade};

use crate::error::{Error, Result};
use crate::time::Timestamp;
use damage::Damage;
use schema::Schema;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::oneshot::Receiver;

/// `main.db`, which contains people, projects, releases, issues and events.
pub type Main = Database;

/// One file: one writer, many readers.
#[derive(Clone)]
pub struct Database {
    pub writer: Writer,
    pub readers: Readers,
    pub packer: Packer,
    /// The id of the instance it belongs to.
    pub instance: Arc<str>,
    damage: Damage,
    path: PathBuf,
    changes: Arc<AtomicU64>,
}

impl Database {
    /// Opens or creates `main.db` in `data_dir`, updates its schema and starts its writer.
    ///
    /// # Errors
    /// If it is damaged, has a schema that this Mayday does not know, or would be created beside files of
    /// another instance.
    pub fn open(data_dir: &Path, fatal: &Fatal) -> Result<Self> {
        let path = data_dir.join("main.db");
        instance::check_before(&path)?;
        Self::open_as("main", main_schema(), None, path, fatal)
    }

    /// The same with the `logs.db` of an instance.
    ///
    /// # Errors
    /// If it is damaged, has a schema that this Mayday does not know, or belongs to another instance.
    pub fn open_logs(data_dir: &Path, instance: &str, fatal: &Fatal) -> Result<Self> {
        Self::open_as("logs", logs_schema(), Some(instance), data_dir.join("logs.db"), fatal)
    }

    fn open_as(
        name: &'static str,
        schema: &Schema,
        instance: Option<&str>,
        path: PathBuf,
        fatal: &Fatal,
    ) -> Result<Self> {
        let clean = damage::take_clean(&path);
        let connection =
            schema::open(&path, clean, schema, instance).map_err(|error| damage::named(&path, error))?;
        let found = instance::of(&connection)?;
        instance::check_database(&path, &found, instance.unwrap_or(&found))?;
        let damage = Damage::new(&path, fatal);
        let readers = Readers::open(&path)?.watched(damage.clone());
        let packer = Packer::default();
        dictionaries::load(&connection, &packer)?;
        damage::check_beside(&path, &readers, clean, fatal)?;
        let writer = Writer::start(name, connection, fatal.clone())?;
        Ok(Self { writer, readers, packer, instance: found.into(), damage, path, changes: Arc::default() })
    }

    /// Commits what is queued and ends the writer. Later writes are refused.
    pub fn stop(&self) {
        self.writer.stop();
        damage::mark_clean(&self.path);
    }

    /// Runs `write` in a transaction shared with others, in its own savepoint; returns after the commit. An
    /// error in `write` undoes what it did and nothing else.
    pub async fn write<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let reply = self.submit(write)?;
        let written = reply.await.map_err(|_| Error::overloaded("The server is stopping. Try again."))?;
        self.changes.fetch_add(1, Ordering::AcqRel);
        written
    }

    /// [`Database::write`] for a write that may be refused with a reason that the caller handles. A refusal
    /// undoes what `write` did, like an error.
    ///
    /// # Errors
    /// If `write` failed, or could not be committed.
    pub async fn write_unless_refused<T, R, F>(&self, write: F) -> Result<Result<T, R>>
    where
        T: Send + 'static,
        R: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<Result<T, R>> + Send + 'static,
    {
        let (tell, mut told) = tokio::sync::oneshot::channel();
        let written = self.write(move |tx| match write(tx)? {
            Ok(value) => Ok(value),
            Err(refusal) => {
                drop(tell.send(refusal));
                // Nobody sees this error: it only makes the savepoint roll back.
                Err(Error::internal("refused"))
            }
        });
        let written = written.await;
        told.try_recv().map_or_else(|_| written.map(Ok), |refusal| Ok(Err(refusal)))
    }

    /// A number that grows with each [`Database::write`], before its caller knows about it. While it stays
    /// the same, nothing has changed that any caller was told about, except by the digest.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Submits a write; the receiver gets its result after the commit.
    ///
    /// # Errors
    /// Overload if too much is waiting already.
    pub fn submit<T, F>(&self, write: F) -> Result<Receiver<Result<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        self.writer.call(self.damage.judging(write))
    }

    /// [`Database::write`] for our own threads.
    pub fn write_blocking<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let reply = self.submit(write)?;
        reply.blocking_recv().map_err(|_| Error::overloaded("The server is stopping. Try again."))?
    }

    /// Runs `read` on a read-only connection, off the asynchronous threads.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.readers.read(read).await
    }

    /// [`Main::read`] for quick look-ups that others wait for: who somebody is, and what they may do.
    pub async fn look_up<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.readers.look_up(read).await
    }
}

impl From<rusqlite::Error> for Error {
    /// A full disk, an I/O error or a locked file is storage trouble (503); anything else is an internal
    /// error.
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OperationInterrupted, ReadOnly,
            SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(OperationInterrupted) => Self::Unavailable {
                text: "The query took too long and was stopped. Narrow it and try again.".into(),
                cause: Some(error.into()),
            },
            Some(CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | ReadOnly | SystemIoFailure) => {
                Self::storage(error)
            }
            _ => Self::internal(error),
        }
    }
}

/// Writes a row, to check that writing works.
pub fn beat(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("insert or replace into heartbeat (id, at) values (1, ?1)", [now.millis()])?;
    Ok(())
}

/// Whether an insert failed because the row exists already.
pub fn is_unique_violation(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::SqliteFailure(cause, _)
        if matches!(cause.extended_code, rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE | rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY))
}

/// The rows of a list that are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub limit: i64,
    pub offset: i64,
}

impl Page {
    pub fn has_more(self, returned: usize, total: i64) -> bool {
        self.offset.saturating_add(i64::try_from(returned).unwrap_or(i64::MAX)) < total
    }
}

#[cfg(test)]
mod tests;
