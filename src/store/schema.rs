//! The schema of `main.db`: created whole in a new data directory, migrated in an old one.
//!
//! `schema.sql` is always the whole current schema. Once a version is released, a change adds
//! `migrations/00NN_what.sql` to [`MIGRATIONS`]; released migrations are never edited and there is
//! no way back. Before the first release there are none.

use super::connection::open_writer;
use super::damage;
use crate::error::{Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

const SCHEMA: &str = include_str!("../../schema.sql");

/// The version that `schema.sql` ends with.
pub const MAIN_VERSION: i64 = 1;

/// Each step from version N to N+1, the first from 1 to 2.
const MIGRATIONS: &[&str] = &[];

/// Opens `main.db` for writing with the current schema.
///
/// # Errors
/// When it is damaged (not looked at when `clean`), was written by a newer Mayday or by one between two
/// releases, or cannot be opened or migrated.
pub fn open_main(path: &Path, clean: bool) -> Result<Connection> {
    let mut connection = open_writer(path)?;
    damage::check(path, &connection, clean)?;
    let found = version(&connection)?;
    if found > MAIN_VERSION {
        return Err(Error::internal(format!(
            "{} has schema version {found}, this Mayday knows {MAIN_VERSION}: run the newer version again, \
             or restore a backup",
            path.display()
        )));
    }
    if found == 0 {
        create(&mut connection)?;
    } else if found < MAIN_VERSION {
        migrate(&mut connection, path, found)?;
    } else if shape(&connection)? != shape_of_schema()? {
        return Err(Error::internal(format!(
            "{} was made by a development version of Mayday with another schema, and those are not migrated: \
             name another data directory, or move this one away",
            path.display()
        )));
    }
    Ok(connection)
}

/// Every table with its columns, and every index; comments and layout aside.
fn shape(connection: &Connection) -> Result<Vec<(String, Option<String>)>> {
    let mut statement = connection.prepare(
        "select s.name, c.name from sqlite_schema s left join pragma_table_info(s.name) c on s.type = 'table'
         where s.name not like 'sqlite_%' order by 1, 2",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn shape_of_schema() -> Result<Vec<(String, Option<String>)>> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(SCHEMA)?;
    shape(&fresh)
}

fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn create(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    Ok(transaction.commit()?)
}

fn migrate(connection: &mut Connection, path: &Path, from: i64) -> Result<()> {
    let copy = path.with_extension(format!("v{from}.db"));
    if !copy.exists() {
        connection.execute("vacuum into ?1", [copy.to_string_lossy()])?;
    }
    let first = usize::try_from(from - 1).unwrap_or(0);
    for (index, step) in MIGRATIONS.iter().enumerate().skip(first) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", i64::try_from(index).unwrap_or(i64::MAX - 2) + 2)?;
        transaction.commit()?;
    }
    Ok(())
}
