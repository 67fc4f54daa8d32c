//! Reads database files that no process uses, such as those of a backup. Changes nothing, and creates no file beside
//! them.

use super::{Readers, connection, damage, instance, key_check};
use crate::crypto::Seal;
use crate::error::{Error, Result};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

/// Characters that would end a path in a URI, or have a special meaning there.
const REST: &AsciiSet = &CONTROLS.add(b'?').add(b'#').add(b'%').add(b' ');

/// Bytes of a value, more than Mayday keeps in any.
const VALUE_MAX: i32 = 256 << 20;
/// Looking at a file ends after this,
const PATIENCE: Duration = Duration::from_secs(60);
/// and a second more for so many bytes.
const SLOWEST: u64 = 2 << 20;
/// Instructions between two looks at the clock. One takes up to 0.2 s if it makes a value of that size.
const LOOK: i32 = 100;

const INSTANCE: &str = "select substr(instance, 1, 64) from origin where id = 1";

/// Metadata of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The version of its schema.
    pub schema: i64,
    /// The instance that it belongs to.
    pub instance: String,
}

/// Reads the metadata of a database.
///
/// # Errors
/// If it is not a database of Mayday, or is damaged.
pub fn facts(path: &Path) -> Result<Facts> {
    let read = |c: &Connection| {
        let schema = c.pragma_query_value(None, "user_version", |row| row.get(0))?;
        // A view could be of anything, without an end.
        let is_table = "select rootpage > 0 from sqlite_schema where type = 'table' and name = 'origin'";
        if !c.query_row(is_table, (), |row| row.get::<_, bool>(0))? {
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        Ok(Facts { schema, instance: c.query_row(INSTANCE, (), |row| row.get(0))? })
    };
    open(path).and_then(|c| read(&c)).map_err(|error| fault(path, &error))
}

/// The instance of a stopped server's databases.
///
/// # Errors
/// If they belong to two, or something beside them does, or they cannot be read.
pub fn instance(data_dir: &Path, main: &Readers, logs: &Readers) -> Result<String> {
    let found = main.read_blocking(instance::of)?;
    instance::check_database(&data_dir.join("logs.db"), &logs.read_blocking(instance::of)?, &found)?;
    for name in ["intake", "sourcemaps", "replays"] {
        instance::check_folder(&data_dir.join(name), &found)?;
    }
    Ok(found)
}

/// The version of a database's schema; its server may have been killed, so it is opened as usual.
pub(super) fn schema(path: &Path) -> Result<i64> {
    let read = |c: &Connection| c.pragma_query_value(None, "user_version", |row| row.get(0));
    let opened = Connection::open_with_flags(path, connection::READER_FLAGS);
    opened.and_then(|c| read(&c)).map_err(|error| fault(path, &error))
}

/// Opens a database in a data directory without changing it: as usual if a killed server left a WAL, otherwise so
/// that no file is created beside it.
pub(super) fn as_it_is(path: &Path) -> rusqlite::Result<Connection> {
    let wal = path.with_extension("db-wal");
    if std::fs::metadata(wal).is_ok_and(|wal| wal.len() > 0) {
        return Connection::open_with_flags(path, connection::READER_FLAGS);
    }
    open(path)
}

/// Checks that a database is consistent, page by page.
///
/// # Errors
/// If it is not; names what was found first.
pub fn check(path: &Path) -> Result<()> {
    let connection = open(path).map_err(|error| fault(path, &error))?;
    damage::quick_check(&connection).map_err(|what| fault(path, &what))
}

/// Whether a key opens what a `main.db` was sealed with. Any key does if nothing was sealed yet.
///
/// # Errors
/// If the file cannot be read.
pub fn opens(path: &Path, seal: &Seal) -> Result<bool> {
    let read = |c: &Connection| {
        let origin = "select instance, sealed from origin where id = 1";
        c.query_row(origin, (), |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<Vec<u8>>>(1)?)))
    };
    let (instance, sealed) = open(path).and_then(|c| read(&c)).map_err(|error| fault(path, &error))?;
    Ok(sealed.is_none_or(|sealed| key_check::opens(seal, &instance, &sealed)))
}

/// The file as it is: without locks, and without a WAL that SQLite would otherwise create. It may be anybody's, with a schema
/// that makes looking at it dear, so that takes no longer than the slowest disk would need for a file of its size.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let size = std::fs::metadata(path).map_or(0, |about| about.len());
    open_for(path, PATIENCE + Duration::from_secs(size / SLOWEST))
}

fn open_for(path: &Path, patience: Duration) -> rusqlite::Result<Connection> {
    let uri = format!("file:{}?immutable=1", utf8_percent_encode(&path.to_string_lossy(), REST));
    let connection = Connection::open_with_flags(uri, connection::READER_FLAGS | OpenFlags::SQLITE_OPEN_URI)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_MAX)?;
    let end = Instant::now() + patience;
    connection.progress_handler(LOOK, Some(move || Instant::now() > end))?;
    Ok(connection)
}

fn fault(path: &Path, what: &dyn std::fmt::Display) -> Error {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Error::internal(format!("{name} is damaged, or is not a database of Mayday ({what})"))
}

#[cfg(test)]
mod tests;
