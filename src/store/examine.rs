//! Looks into database files that no process uses, such as those of a backup. Nothing is changed, and no file appears
//! beside them.

use super::{Readers, connection, damage, instance, key_check};
use crate::crypto::Seal;
use crate::error::{Error, Result};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// What would end a path, or mean something else, in a URI.
const REST: &AsciiSet = &CONTROLS.add(b'?').add(b'#').add(b'%').add(b' ');

/// What a database says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The version of its schema.
    pub schema: i64,
    /// The instance that it belongs to.
    pub instance: String,
}

/// Reads what a database says about itself.
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
        let instance = "select substr(instance, 1, 64) from origin where id = 1";
        Ok(Facts { schema, instance: c.query_row(instance, (), |row| row.get(0))? })
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

/// A database in a data directory, of which nothing changes: with the WAL of a server that was killed it is opened as usual,
/// else no file appears beside it.
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

/// The file as it is: without locks, and without a WAL that SQLite would otherwise create.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let uri = format!("file:{}?immutable=1", utf8_percent_encode(&path.to_string_lossy(), REST));
    let connection = Connection::open_with_flags(uri, connection::READER_FLAGS | OpenFlags::SQLITE_OPEN_URI)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

fn fault(path: &Path, what: &dyn std::fmt::Display) -> Error {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Error::internal(format!("{name} is damaged, or is not a database of Mayday ({what})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::secret::Secret;
    use crate::store::{Fatal, MAIN, Main};
    use std::fs;

    #[test]
    fn a_database_is_looked_into_without_a_trace() {
        let folder = tempfile::Builder::new().prefix("a %41?#b").tempdir().unwrap();
        let main = Main::open(folder.path(), &Fatal::new().0).unwrap();
        let seal = Seal::new(&Secret::new("the right key of this instance"));
        let copy = folder.path().join("copy.db");
        let into = copy.display().to_string();
        let dump = move |main: &Main| {
            let c = main.readers.dedicated().unwrap();
            c.pragma_update(None, "query_only", false).unwrap();
            c.execute("vacuum into ?1", [&into]).unwrap();
        };
        dump(&main);
        assert!(opens(&copy, &seal).unwrap(), "nothing is sealed yet");
        fs::remove_file(&copy).unwrap();
        crate::store::check_key(&main, &seal).unwrap();
        dump(&main);
        let before = fs::read(&copy).unwrap();
        let facts = facts(&copy).unwrap();
        assert_eq!(facts, Facts { schema: MAIN.version, instance: main.instance.to_string() });
        check(&copy).unwrap();
        assert!(opens(&copy, &seal).unwrap());
        assert!(!opens(&copy, &Seal::new(&Secret::new("another key"))).unwrap());
        assert_eq!(fs::read(&copy).unwrap(), before);
        assert!(!folder.path().join("copy.db-shm").exists() && !folder.path().join("copy.db-wal").exists());
    }

    #[test]
    fn what_is_no_database_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.db");
        fs::write(&path, vec![7; 9_000]).unwrap();
        for found in [facts(&path).map(drop), check(&path)] {
            let Err(Error::Internal(cause)) = found else { panic!("{found:?}") };
            assert!(cause.to_string().starts_with("main.db is damaged"), "{cause}");
        }
    }
}
