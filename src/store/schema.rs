//! The schemas of `main.db` and `logs.db`: created in full in a new data directory, migrated in an old one
//! ([`migrate`]).
//!
//! `schema.sql` and `schema-logs.sql` are always the complete current schemas. Once a version is released, a change also
//! raises the version and adds a step, `migrations/00NN_what.sql`, to [`Schema::steps`]. Released steps are never edited,
//! and there is no way back. Before the first release there are none.

mod migrate;
#[cfg(debug_assertions)]
mod rehearsal;

use super::connection::open_writer;
use super::{damage, examine, instance};
use crate::error::{Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A change that takes a database from one schema version to the next. It may rebuild a table that others
/// refer to: foreign keys are off in the meantime and checked at the end.
pub struct Step {
    /// The name of its file.
    pub name: &'static str,
    pub sql: &'static str,
}

/// The expected schema of a database file.
pub struct Schema {
    /// The whole schema.
    pub sql: &'static str,
    /// The statement that records a new file's origin; ?1 is its instance.
    pub origin: &'static str,
    /// The version that it ends with.
    pub version: i64,
    /// Each from version N to N+1, the first from 1 to 2.
    pub steps: &'static [Step],
    /// KiB of page cache of its writer, filled only as needed.
    pub cache: i64,
}

pub const MAIN: Schema = Schema {
    sql: include_str!("../../schema.sql"),
    origin: "insert into origin (id, instance) values (1, ?1)",
    version: 1,
    steps: &[],
    cache: 16_384,
};

/// The schema of `main.db`: [`MAIN`], but in a debug build that plays a later version its own.
pub fn main_schema() -> &'static Schema {
    #[cfg(debug_assertions)]
    if let Some(schema) = rehearsal::main() {
        return schema;
    }
    &MAIN
}

/// The schema of `logs.db`, likewise.
pub fn logs_schema() -> &'static Schema {
    #[cfg(debug_assertions)]
    if let Some(schema) = rehearsal::logs() {
        return schema;
    }
    &LOGS
}

/// Rows are appended and hardly read again, so a small cache is enough.
pub const LOGS: Schema = Schema {
    sql: include_str!("../../schema-logs.sql"),
    origin: "insert into origin (id, instance, history) values (1, ?1, lower(hex(randomblob(16))))",
    version: 1,
    steps: &[],
    cache: 2_048,
};

/// Opens a database for writing with the current schema. A new one belongs to `instance`; `None`: an id is
/// created.
///
/// # Errors
/// If it is damaged (not checked if `clean`), was written by a newer Mayday or by a development version,
/// would start an instance beside files of another, or cannot be opened or migrated.
pub fn open(path: &Path, clean: bool, schema: &Schema, instance: Option<&str>) -> Result<Connection> {
    let mut connection = open_writer(path, schema.cache)?;
    damage::check(path, &connection, clean)?;
    let found = version(&connection)?;
    check_version(path, found, schema)?;
    if found == 0 {
        let instance = match instance {
            Some(instance) => instance.to_owned(),
            None => {
                instance::check_new(path)?;
                instance::made()?
            }
        };
        create(&mut connection, schema, &instance)?;
    } else if found < schema.version {
        migrate::migrate(&mut connection, path, found, schema)?;
    } else {
        check_shape(path, &connection, schema)?;
    }
    Ok(connection)
}

/// Checks, before anything is changed, that a database can be opened, if there is one; damage is for [`open`] to find.
///
/// # Errors
/// If it was written by a newer Mayday or by a development version.
pub(super) fn check_usable(path: &Path, schema: &Schema) -> Result<()> {
    match examine::as_it_is(path) {
        Ok(connection) if shape(&connection).is_ok() => check_found(path, &connection, schema),
        _ => Ok(()),
    }
}

/// # Errors
/// If a newer Mayday or a development version wrote the file.
fn check_found(path: &Path, connection: &Connection, schema: &Schema) -> Result<()> {
    let found = version(connection)?;
    check_version(path, found, schema)?;
    if found == schema.version { check_shape(path, connection, schema) } else { Ok(()) }
}

/// Checks that a database, opened for reading, has the current schema.
///
/// # Errors
/// If another version of Mayday wrote the file.
pub fn check_current(path: &Path, connection: &Connection, schema: &Schema) -> Result<()> {
    check_found(path, connection, schema)?;
    let found = version(connection)?;
    if found == schema.version {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{} has schema version {found}, and this Mayday needs {}: start it once, or run `mayday migrate`",
        path.display(),
        schema.version
    )))
}

fn check_shape(path: &Path, connection: &Connection, schema: &Schema) -> Result<()> {
    if shape(connection)? == *shape_of(schema)? {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{} was made by a development version of Mayday with another schema, and those are not migrated: \
         name another data directory, or move this one away",
        path.display()
    )))
}

/// # Errors
/// If a newer Mayday wrote the file.
pub(super) fn check_version(path: &Path, found: i64, schema: &Schema) -> Result<()> {
    if found <= schema.version {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{} has schema version {found}, this Mayday knows {}: run the newer version again, or restore a backup that was \
         made before the update with `mayday restore`",
        path.display(),
        schema.version
    )))
}

/// Tables, each with its columns, and indexes.
type Shape = Vec<(String, Option<String>)>;

/// Every table with its columns, and every index, ignoring comments and layout.
fn shape(connection: &Connection) -> Result<Shape> {
    let mut statement = connection.prepare(
        "select s.name, c.name from sqlite_schema s left join pragma_table_info(s.name) c on s.type = 'table'
         where s.name not like 'sqlite_%' order by 1, 2",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The shape of a schema. It is remembered, because a start asks for it twice, and executing a schema takes longer than
/// anything else that a start does.
fn shape_of(schema: &Schema) -> Result<Arc<Shape>> {
    static KNOWN: Mutex<BTreeMap<&'static str, Arc<Shape>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shape) = known.get(schema.sql) {
        return Ok(shape.clone());
    }
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(schema.sql)?;
    let shape = Arc::new(shape(&fresh)?);
    known.insert(schema.sql, shape.clone());
    Ok(shape)
}

fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn create(connection: &mut Connection, schema: &Schema, instance: &str) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(schema.sql)?;
    transaction.execute(schema.origin, [instance])?;
    Ok(transaction.commit()?)
}
