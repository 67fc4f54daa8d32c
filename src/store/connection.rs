//! Sets connections up; every pragma has its reason.

use crate::error::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// SQLite 3.7.0 to 3.51.2 can lose committed data when a WAL is reset.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Statements kept prepared on each connection.
const STATEMENT_CACHE: usize = 128;

/// Refuses a SQLite library with the WAL-reset bug.
pub fn check_sqlite_version() -> Result<()> {
    let version = rusqlite::version_number();
    if version < OLDEST_SQLITE {
        return Err(Error::internal(format!(
            "SQLite {} can lose committed data; 3.51.3 or newer is needed. Build with the bundled library.",
            rusqlite::version()
        )));
    }
    Ok(())
}

/// The only writing connection of a database file, which is created if missing.
pub(super) fn open_writer(path: &Path, cache: i64) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    // Only this connection writes; the timeout is for `VACUUM INTO` and for the operator's tools.
    connection.busy_timeout(Duration::from_secs(10))?;
    // Pages of deleted rows are returned gradually (`incremental_vacuum`). This takes effect only before the
    // first table is created.
    connection.pragma_update(None, "auto_vacuum", "incremental")?;
    // Readers never wait for the writer, and a commit is one sync of one file.
    connection.pragma_update(None, "journal_mode", "wal")?;
    // An answer promises that the data is on disk, so the WAL is synced at every commit.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A damaged or crafted schema must not run functions.
    connection.pragma_update(None, "trusted_schema", false)?;
    // Pages: 40 MiB of WAL before a checkpoint; measured +39 % rows per second over the default of 1,000.
    connection.pragma_update(None, "wal_autocheckpoint", 10_000)?;
    // Bytes the WAL file keeps after a checkpoint.
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    // What a savepoint may have to undo; otherwise a file would be created and removed for each.
    connection.pragma_update(None, "temp_store", "memory")?;
    // KiB of page cache (negative by SQLite's convention), filled only as needed.
    connection.pragma_update(None, "cache_size", -cache)?;
    #[cfg(test)]
    super::plans::opened(&connection);
    Ok(connection)
}

pub(super) const READER_FLAGS: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// A reading connection, after it was opened with [`READER_FLAGS`].
pub(super) fn set_up_reader(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cache_size", -8_192)?;
    #[cfg(test)]
    super::plans::opened(connection);
    Ok(())
}
