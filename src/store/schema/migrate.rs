//! Migrating a database of an older version: all steps in one transaction. If a step fails, the file stays as it was and
//! the Mayday that wrote it still starts on it.
//!
//! Before the first step the file is copied beside itself (`main.v1.db`). Once the transaction is committed, that copy is
//! the only way back.

use super::{Schema, Step, shape, shape_of, version};
use crate::error::{Error, Result};
use crate::store::copy::copy_database;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};
use std::fs::{self, File};
use std::path::Path;

/// Runs the steps that are missing since version `from`.
///
/// # Errors
/// If one fails, or they do not lead to the schema; in that case nothing is changed.
pub(super) fn migrate(connection: &mut Connection, path: &Path, from: i64, schema: &Schema) -> Result<()> {
    let failed = |error: Error| {
        let cause = match error {
            Error::Internal(cause) => cause.to_string(),
            error => error.to_string(),
        };
        Error::internal(format!(
            "{} could not be migrated from schema version {from} to {}: {cause}. The file is unchanged, and the previous \
             version of Mayday still starts on it",
            path.display(),
            schema.version
        ))
    };
    keep_copy(connection, path, from).map_err(failed)?;
    tracing::info!(file = %path.display(), from, to = schema.version, "migrating");
    // Otherwise dropping a table to rebuild it would delete the rows that refer to it. The pragma has no effect within a
    // transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    let migrated = run(connection, from, schema).map_err(failed);
    connection.pragma_update(None, "foreign_keys", true)?;
    migrated
}

fn run(connection: &mut Connection, from: i64, schema: &Schema) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = usize::try_from(from - 1).map_err(Error::internal)?;
    for (step, version) in schema.steps.iter().skip(done).zip(from + 1..) {
        run_step(&transaction, step, version)?;
    }
    check_references(&transaction)?;
    let reached = version(&transaction)?;
    if reached != schema.version || shape(&transaction)? != *shape_of(schema)? {
        return Err(Error::internal(format!(
            "after the steps it has version {reached}, but not the current schema; a development version may have made it"
        )));
    }
    Ok(transaction.commit()?)
}

fn run_step(transaction: &Transaction<'_>, step: &Step, version: i64) -> Result<()> {
    let ran = transaction.execute_batch(step.sql);
    ran.map_err(|error| Error::internal(format!("{} failed: {error}", step.name)))?;
    if transaction.is_autocommit() {
        return Err(Error::internal(format!("{} ends the transaction", step.name)));
    }
    Ok(transaction.pragma_update(None, "user_version", version)?)
}

/// # Errors
/// If a row refers to a row that does not exist.
fn check_references(transaction: &Transaction<'_>) -> Result<()> {
    let mut statement = transaction.prepare("pragma foreign_key_check")?;
    let names = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(2)?));
    match statement.query_row((), names).optional()? {
        None => Ok(()),
        Some((table, parent)) => {
            Err(Error::internal(format!("rows of {table} refer to rows of {parent} that do not exist")))
        }
    }
}

/// Copies the database beside itself. A copy gets its name when it is complete, and replaces one of an earlier
/// attempt, because the previous version may have continued to run since then.
fn keep_copy(connection: &Connection, path: &Path, from: i64) -> Result<()> {
    let unfinished = path.with_extension(format!("v{from}.new"));
    if unfinished.exists() {
        fs::remove_file(&unfinished).map_err(Error::storage)?;
    }
    copy_database(connection, &unfinished)?;
    let copy = path.with_extension(format!("v{from}.db"));
    fs::rename(&unfinished, copy).map_err(Error::storage)?;
    let folder = path.parent().unwrap_or(path);
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::storage)
}

#[cfg(test)]
mod tests;
